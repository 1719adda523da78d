import { expect, type Locator, type Page } from "@playwright/test";

/** Verify, as a person meets it. */
export class VerifyPage {
  readonly page: Page;
  readonly verifyButton: Locator;
  readonly result: Locator;
  /** The verdict. */
  readonly headline: Locator;
  readonly claims: Locator;
  readonly kinds: Locator;
  readonly history: Locator;

  constructor(page: Page) {
    this.page = page;
    this.verifyButton = page.getByRole("button", { name: "Verify", exact: true });
    this.result = page.getByRole("region", { name: "Result" });
    this.headline = this.result.getByRole("heading", { level: 2 }).first();
    this.claims = this.result.getByRole("list", { name: "Claims" }).locator("> li");
    this.kinds = this.result.getByRole("group", { name: "Kinds of findings" });
    this.history = page.getByRole("region", { name: "History" });
  }

  async open(): Promise<void> {
    await this.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Verify" }).click();
    await expect(this.field("Response")).toBeVisible();
  }

  field(name: "Prompt" | "Document" | "Response"): Locator {
    return this.page.getByRole("textbox", { name, exact: true });
  }

  /** What was found in a text, and its evidence. */
  marks(name: "Prompt" | "Document" | "Response"): Locator {
    return this.field(name).locator(".cm-finding, .cm-evidence");
  }

  /** What is lit up in a text, with the claim that is pointed at. */
  active(name: "Prompt" | "Document" | "Response"): Locator {
    return this.field(name).locator(".cm-active");
  }

  /** Types over a text. */
  async write(name: "Prompt" | "Document" | "Response", text: string): Promise<void> {
    await this.field(name).click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  async verify(): Promise<void> {
    await this.verifyButton.click();
    await expect(this.headline).not.toBeEmpty();
  }
}
