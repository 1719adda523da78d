import { expect, type Locator, type Page } from "@playwright/test";

/** The page of one batch, with its inspector. */
export class BatchPage {
  readonly page: Page;
  readonly steps: Locator;
  readonly progress: Locator;
  readonly results: Locator;
  readonly inspector: Locator;

  constructor(page: Page) {
    this.page = page;
    this.steps = page.getByRole("list", { name: "Steps" });
    this.progress = page.getByRole("progressbar", { name: "Progress", exact: true });
    this.results = page.getByRole("grid", { name: "Results" });
    this.inspector = page.getByRole("complementary", { name: /^Line \d/ });
  }

  /** The row of a line of the input file. */
  row(line: number): Locator {
    return this.results.getByRole("row", { name: new RegExp(`^${line} `) });
  }

  /** How much of it has an answer, in per cent. */
  async answered(): Promise<number> {
    return Number(await this.progress.getAttribute("aria-valuenow"));
  }

  async openLine(line: number): Promise<void> {
    await this.row(line).click();
    await expect(this.inspector).toHaveAccessibleName(`Line ${line}`);
  }

  /** Waits until the whole batch has run. */
  async expectDone(): Promise<void> {
    const step = this.steps.getByRole("listitem").filter({ hasText: "Done" });
    await expect(step).toContainText(/\d{2}:\d{2}:\d{2}/, { timeout: 45_000 });
  }

  /** Exports the results and answers with the path of the file that the browser saved. */
  async exportResults(): Promise<string> {
    const download = this.page.waitForEvent("download");
    await this.page.getByRole("button", { name: /Export/ }).click();
    return (await download).path();
  }
}
