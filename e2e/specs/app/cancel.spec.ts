import { appTest, expect } from "../../fixtures/app-test.ts";
import { readJsonLines } from "../../fixtures/files.ts";

// 200 lines, ten at a time: 50 seconds. However slow the machine, the batch still runs when it is cancelled.
appTest.use({ pace: 2_500 });

appTest(
  "a cancelled batch keeps the answers that it has, and comes back when it was deleted",
  async ({ page, buildPage, batchPage, batchesPage }) => {
    await buildPage.open();
    await buildPage.source.getByRole("button", { name: "Try the 200-question example" }).click();
    await buildPage.expectNoProblems("200");
    await buildPage.submit();
    await expect(batchPage.results.getByRole("row", { name: /^1 / })).toContainText(/\d s$/);

    await page.getByRole("button", { name: "Cancel" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Cancel/ })
      .click();
    await batchPage.expectStatus(/^Cancelled/);

    const lines = await readJsonLines(await batchPage.exportResults());
    expect(lines).toHaveLength(200);
    expect(lines.filter((line) => JSON.stringify(line).includes("batch_cancelled")).length).toBeGreaterThan(0);

    await batchesPage.open();
    const row = batchesPage.row("200 math questions");
    await expect(row).toContainText("Cancelled");

    const remove = async () => {
      await page.getByRole("button", { name: "Actions for 200 math questions" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await expect(page.getByRole("heading", { name: "No batches yet" })).toBeVisible();
    };
    await remove();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(row).toContainText("Cancelled");
    await remove();
    await page.getByRole("button", { name: "Deleted (1)" }).click();
    await page.getByRole("button", { name: "Restore 200 math questions" }).click();
    await expect(page.getByRole("heading", { name: "No deleted batches" })).toBeVisible();
    // The button that had the focus is gone with its row.
    await expect(page.getByRole("button", { name: "All batches" }).last()).toBeFocused();
    await page.getByRole("button", { name: "All batches" }).first().click();
    await expect(row).toContainText("Cancelled");

    await remove();
    await page.getByRole("button", { name: "Deleted (1)" }).click();
    await page.getByRole("button", { name: "Delete 200 math questions now" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await expect(page.getByRole("heading", { name: "No deleted batches" })).toBeVisible();
    await expect(page.getByRole("button", { name: "All batches" }).last()).toBeFocused();
  },
);
