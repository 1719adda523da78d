import { appTest, expect } from "../../fixtures/app-test.ts";

appTest(
  "a table with a header and no rows shows its columns, and says that there are no rows",
  async ({ page, buildPage }) => {
    await buildPage.open();
    await page.locator("input[type=file]").setInputFiles({
      name: "questions.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("id,question\n"),
    });
    await expect(buildPage.source.getByRole("columnheader")).toHaveText(["#", "id", "question"]);
    await expect(buildPage.source.getByText("No rows.")).toBeVisible();
    await expect(buildPage.source.getByText("0 rows")).toBeVisible();
    await expect(page.getByText("The source has no rows")).toBeVisible();

    await buildPage.source.getByRole("button", { name: "Change the source" }).click();
    await page.getByRole("switch", { name: "The first row names the columns" }).click();
    await expect(buildPage.source.getByText("1 row", { exact: false })).toBeVisible();
    await expect(buildPage.source.getByText("No rows.")).toBeHidden();
  },
);
