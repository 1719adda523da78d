import { expect, type Locator, type Page } from "@playwright/test";

/** A run over the answers of a batch, on the page of the batch: their verification, or their grading. */
class RunPart {
  readonly page: Page;
  readonly dialog: Locator;
  readonly #action: string;
  readonly #chip: string;

  constructor(page: Page, action: string, chip: string) {
    this.page = page;
    this.dialog = page.getByRole("dialog", { name: new RegExp(`^${action.split(" ")[0]} the answers of`) });
    this.#action = action;
    this.#chip = chip;
  }

  /** The button of the filter. */
  get chip(): Locator {
    return this.page.getByRole("button", { name: new RegExp(`^${this.#chip}:`) });
  }

  async open(): Promise<void> {
    await this.page.getByRole("button", { name: "More actions" }).click();
    await this.page.getByRole("menuitem", { name: this.#action, exact: true }).click();
    await expect(this.dialog).toBeVisible();
  }

  async start(): Promise<void> {
    await this.dialog.getByRole("button", { name: this.#action }).click();
    await expect(this.dialog).toBeHidden();
  }

  /** Waits until the end is announced to screen readers. */
  async expectAnnounced(words: RegExp): Promise<void> {
    await expect(this.page.getByRole("status").filter({ hasText: words })).toBeAttached({ timeout: 45_000 });
  }

  /** Opens the filter: among all others as long as nothing is chosen. */
  async #openFilter(): Promise<void> {
    if (!(await this.chip.isVisible())) await this.page.getByRole("button", { name: "Filter", exact: true }).click();
    await this.chip.click();
  }

  /** How many lines there are by each word of the filter. */
  async counts(): Promise<Record<string, number>> {
    await this.#openFilter();
    await expect(this.page.getByRole("menuitem").first()).toBeVisible();
    const texts = await this.page.getByRole("menuitem").allTextContents();
    await this.page.keyboard.press("Escape");
    await expect(this.page.getByRole("menuitem")).toHaveCount(0);
    await this.page.keyboard.press("Escape");
    return Object.fromEntries(texts.map((text) => [text.replace(/[\d,]+$/, ""), Number(/[\d,]+$/.exec(text)?.[0])]));
  }

  /** Shows the lines with a verdict or a grade. */
  async show(word: string): Promise<void> {
    await this.#openFilter();
    await this.page.getByRole("menuitem", { name: word }).click();
    await expect(this.chip).toContainText(word);
  }
}

export class VerificationPart extends RunPart {
  constructor(page: Page) {
    super(page, "Verify answers", "Verdict");
  }

  /** Waits until all answers have a verdict; how many have which. */
  async expectDone(answers: number): Promise<Record<string, number>> {
    await this.expectAnnounced(new RegExp(`^Verified: .* in ${answers} answers?$`));
    return this.counts();
  }
}

export class GradingPart extends RunPart {
  constructor(page: Page) {
    super(page, "Grade answers", "Grade");
  }

  async chooseGrader(name: string): Promise<void> {
    await this.dialog.getByRole("combobox", { name: "Grader" }).click();
    await this.page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
  }

  /** Waits until all lines have a grade; how many have which. */
  async expectDone(lines: number): Promise<Record<string, number>> {
    await this.expectAnnounced(new RegExp(`^Graded: \\d+ of ${lines} lines passed$`));
    return this.counts();
  }
}
