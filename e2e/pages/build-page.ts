import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";

/** Build, as a person meets it. */
export class BuildPage {
  readonly page: Page;
  readonly source: Locator;
  readonly prompt: Locator;
  readonly preview: Locator;
  readonly problems: Locator;
  readonly submitButton: Locator;

  constructor(page: Page) {
    // A narrow window keeps all panes but the prompt behind tabs.
    const pane = (name: string) =>
      page.getByRole("region", { name, exact: true }).or(page.getByRole("tabpanel", { name: new RegExp(`^${name}`) }));
    this.page = page;
    this.source = pane("Source");
    this.prompt = page.getByRole("region", { name: "Prompt", exact: true });
    this.preview = pane("Preview");
    this.problems = pane("Problems");
    this.submitButton = page.getByRole("button", { name: "Submit batch" });
  }

  async open(): Promise<void> {
    await this.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Build" }).click();
    await expect(this.prompt).toBeVisible();
  }

  /** Begins another draft, from Home. */
  async openNew(): Promise<void> {
    const before = this.page.url();
    await this.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Home" }).click();
    await this.page.getByRole("button", { name: "New batch" }).click();
    await this.page.waitForURL((url) => url.pathname.startsWith("/build/draft_") && url.href !== before);
    await expect(this.prompt).toBeVisible();
  }

  /** Brings a part to the front where a narrow window keeps it behind a tab. */
  async show(part: "Source" | "Preview" | "Problems"): Promise<void> {
    const tab = this.page.getByRole("tab", { name: new RegExp(`^${part}`) });
    // Where there is room for all three panes, none is behind a tab.
    await expect(this.prompt).toBeVisible();
    if (await tab.isVisible()) await tab.click();
  }

  /** Drops a file from disk anywhere on the page, as a drag from a file manager does. */
  async dropFile(path: string): Promise<void> {
    const content = await readFile(path, "utf8");
    const transfer = await this.page.evaluateHandle(
      ([text, name]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        return data;
      },
      [content, basename(path)] as const,
    );
    for (const type of ["dragenter", "dragover", "drop"]) {
      await this.prompt.dispatchEvent(type, { dataTransfer: transfer });
    }
  }

  async chooseFile(path: string): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.source.getByRole("button", { name: "Choose file" }).click();
    await (await chooser).setFiles(path);
  }

  /** Types over a message's template. */
  async write(message: string, text: string): Promise<void> {
    const editor = this.prompt.getByRole("textbox", { name: message });
    await editor.click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  async expectNoProblems(requests: string): Promise<void> {
    await this.show("Problems");
    await expect(this.problems.getByText(`No problems in ${requests} requests`)).toBeVisible();
  }

  /** Has the open draft answered by a connection, as named beside its title. */
  async chooseConnection(name: string): Promise<void> {
    await this.page.getByRole("button", { name: "answers this draft" }).click();
    await this.page.getByRole("menuitemradio", { name: new RegExp(`^${name}`) }).click();
  }

  async submit(): Promise<void> {
    await this.submitButton.click();
    await this.page.waitForURL(/\/batches\/batch_/);
  }
}
