import { expect, type Locator, type Page } from "@playwright/test";

/** Server, as a person meets it. */
export class ServerPage {
  readonly page: Page;
  readonly mock: Locator;
  readonly mcp: Locator;

  constructor(page: Page) {
    this.page = page;
    this.mock = page.getByRole("region", { name: "Mock server" });
    this.mcp = page.getByRole("region", { name: "MCP endpoint" });
  }

  async open(): Promise<void> {
    await this.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Server" }).click();
    await expect(this.mock).toBeVisible();
  }

  /** Turns one of the two on with its switch. */
  async turnOn(panel: Locator, name: "Mock server" | "MCP endpoint"): Promise<void> {
    const control = panel.getByRole("switch", { name, exact: true });
    await control.focus();
    await this.page.keyboard.press("Space");
    await expect(control).toBeChecked();
  }

  /** Starts the server on any free port, and answers with its address (`…/v1`). */
  async start(): Promise<string> {
    await this.mock.getByRole("textbox", { name: "Port" }).fill("0");
    await this.mock.getByRole("button", { name: "Start there" }).click();
    await expect(this.mock.getByRole("switch", { name: "Mock server" })).toBeChecked();
    return (await this.mock.getByText(/^http:\/\/127\.0\.0\.1:\d+\/v1$/).textContent()) ?? "";
  }

  /** Presses a copy button, and answers with what is on the clipboard then. */
  async copy(within: Locator, label: string): Promise<string> {
    await this.page.evaluate(() => navigator.clipboard.writeText(""));
    await within.getByRole("button", { name: label }).click();
    const read = () => this.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(read).not.toBe("");
    return await read();
  }
}
