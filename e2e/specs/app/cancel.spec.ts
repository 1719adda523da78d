import { appTest, expect } from "../../fixtures/app-test.ts";
import { readJsonLines } from "../../fixtures/files.ts";

// 200 lines, ten at a time: 50 seconds. However slow the machine, the batch still runs when it is cancelled.
appTest.use({ pace: 2_500 });

appTest("a cancelled batch keeps the answers that it has", async ({ page, buildPage, batchPage, batchesPage }) => {
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
  await expect(batchesPage.row("200 math questions")).toContainText("Cancelled");
});
