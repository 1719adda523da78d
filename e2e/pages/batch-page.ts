import { expect, type Locator, type Page } from "@playwright/test";

/** The page of one batch, with its inspector. */
export class BatchPage {
  readonly page: Page;
  readonly progress: Locator;
  readonly results: Locator;
  readonly inspector: Locator;

  constructor(page: Page) {
    this.page = page;
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
    await this.expectStatus(/^Done/);
  }

  /** Waits until a status is announced to screen readers. */
  async expectStatus(words: RegExp): Promise<void> {
    await expect(this.page.getByRole("status").filter({ hasText: words })).toBeAttached({ timeout: 45_000 });
  }

  /** Exports the results and answers with the path of the file that the browser saved. */
  async exportResults(format?: string): Promise<string> {
    const download = this.page.waitForEvent("download");
    await this.beginExport(format);
    return (await download).path();
  }

  /** Exports the results: a browser saves them, the desktop app asks where. */
  async beginExport(format = "JSON Lines, unchanged"): Promise<void> {
    await this.page.getByRole("button", { name: "Export", exact: true }).click();
    const dialog = this.page.getByRole("dialog", { name: /^Export/ });
    await dialog.getByRole("radio", { name: format }).check();
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
  }
}
