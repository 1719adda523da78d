import { expect, type Locator, type Page } from "@playwright/test";

/** The verification of a batch, on the page of the batch. */
export class VerificationPart {
  readonly page: Page;
  readonly dialog: Locator;
  readonly filter: Locator;
  readonly progress: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole("dialog", { name: /^Verify the answers of/ });
    this.filter = page.getByRole("radiogroup", { name: "Lines to show" });
    this.progress = page.getByRole("progressbar", { name: "Verification" });
  }

  async open(): Promise<void> {
    await this.page.getByRole("button", { name: "Verify answers" }).click();
    await expect(this.dialog).toBeVisible();
  }

  async chooseModel(name: string): Promise<void> {
    await this.dialog.getByRole("combobox", { name: "Model" }).click();
    await this.page.getByRole("option", { name }).click();
  }

  async start(): Promise<void> {
    await this.dialog.getByRole("button", { name: "Verify answers" }).click();
    await expect(this.dialog).toBeHidden();
  }

  /** How much of it is done, in per cent. */
  async share(): Promise<number> {
    return Number((await this.progress.getAttribute("aria-valuenow")) ?? 0);
  }

  /** Waits until all answers have a verdict; how many have which. */
  async expectDone(answers: number): Promise<Record<string, number>> {
    await expect(this.page.getByRole("status").filter({ hasText: `of ${answers} answers contradicted` })).toBeAttached({
      timeout: 45_000,
    });
    const counts: Record<string, number> = {};
    for (const word of ["Contradicted", "Not in the document", "Supported", "Not checkable"]) {
      const text = await this.filter.locator("label").filter({ hasText: word }).textContent();
      counts[word] = Number(/\d+/.exec(text ?? "")?.[0]);
    }
    return counts;
  }

  /** Shows the lines with a verdict. */
  async show(word: string): Promise<void> {
    await this.filter.locator("label").filter({ hasText: word }).click();
  }
}
