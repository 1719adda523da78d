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

appTest(
  "a pane is as wide as it was made, by pointer or by keys, until it is put back",
  async ({ page, buildPage }) => {
    await buildPage.open();
    const edge = page.getByRole("separator", { name: "Width of the source" });
    const width = async () => (await buildPage.source.boundingBox())?.width ?? 0;
    const usual = await width();
    await edge.press("ArrowRight");
    await expect.poll(width).toBeCloseTo(usual + 16, 0);
    await edge.hover();
    await page.mouse.down();
    await page.mouse.move(usual + 400, 300, { steps: 3 });
    await page.mouse.up();
    await expect.poll(width).toBeGreaterThan(usual + 60);
    const wide = await width();
    await expect(edge).toHaveAttribute("aria-valuenow", String(Math.round(wide)));
    await page.reload();
    await expect.poll(width).toBeCloseTo(wide, 0);
    await edge.press("Enter");
    await expect.poll(width).toBeCloseTo(usual, 0);
  },
);
