import { expect, type Locator, type Page } from "@playwright/test";

/** The list of batches. */
export class BatchesPage {
  readonly page: Page;
  readonly table: Locator;

  constructor(page: Page) {
    this.page = page;
    this.table = page.getByRole("grid", { name: "Batches" });
  }

  async open(): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: /^Batches/ })
      .click();
    await expect(this.page.getByRole("heading", { name: "Batches", level: 1 })).toBeVisible();
  }

  row(name: string): Locator {
    return this.table.getByRole("row", { name: new RegExp(name) });
  }
}
