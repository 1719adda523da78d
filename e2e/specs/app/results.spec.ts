import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { runFaultyBatch } from "../../fixtures/batches.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";

/** More than two pages of the table. */
const lines = 260;

appTest.use({ permissions: ["clipboard-read", "clipboard-write"], viewport: { width: 900, height: 720 } });

appTest(
  "what failed is never hidden, and results are filtered, searched, copied, charted and exported as they are shown",
  async ({ page, host }) => {
    await runFaultyBatch(host, "Reviews", lines);
    const batches = new BatchesPage(page);
    const batch = new BatchPage(page);
    const shown = page.getByRole("main").locator("output").filter({ hasText: "lines" });

    await batches.open();
    const failed = Number(
      await batches
        .row("Reviews")
        .getByRole("button", { name: /failed/ })
        .textContent(),
    );
    expect(failed).toBeGreaterThan(0);
    await batches
      .row("Reviews")
      .getByRole("button", { name: /^Actions/ })
      .click();
    await page.getByRole("menuitem", { name: "Export results" }).click();
    const dialog = page.getByRole("dialog", { name: "Export the results of “Reviews”" });
    await dialog.getByRole("radio", { name: "Parquet" }).check();
    await expect(dialog.getByRole("checkbox", { name: "Only the columns that are shown" })).toBeEnabled();
    await page.keyboard.press("Escape");
    await batches
      .row("Reviews")
      .getByRole("button", { name: /failed/ })
      .click();
    await expect(page).toHaveURL(/states=/);
    await expect(shown).toHaveText(`${failed} of ${lines} lines`);
    const firstRow = await batch.results.getByRole("row").nth(1).boundingBox();
    const bar = await page.getByRole("banner").boundingBox();
    expect(
      (firstRow?.y ?? 1_000) - (bar?.y ?? 0) - (bar?.height ?? 0),
      "from the top bar to the first row",
    ).toBeLessThan(150);

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("tab", { name: /^Errors/ }).click();
    await page
      .getByRole("tabpanel")
      .getByRole("button", { name: /^Show \d+ line/ })
      .first()
      .click();
    await expect(page).toHaveURL(/errors=/);
    await page.goBack();
    await page.goBack();

    await batches.open();
    await batches.row("Reviews").getByText("Reviews", { exact: true }).click();
    await expect(shown).toHaveText(`${lines} lines`);
    await expect(batch.results.getByText("Cut off").first()).toBeVisible();
    const widthOf = async (name: string) =>
      (await batch.results.getByRole("columnheader", { name }).boundingBox())?.width ?? 0;
    expect(await widthOf("Answer")).toBeGreaterThan(await widthOf("Question"));

    await page.keyboard.press("ControlOrMeta+f");
    const find = page.getByRole("search");
    await find.getByRole("textbox").fill("ducks");
    await expect(find.locator("output")).toHaveText(/^\d+ lines?$/);
    await page.keyboard.press("Enter");
    await expect(find.locator("output")).toHaveText(/^1 of \d+$/);
    await page.keyboard.press("Escape");
    await expect(find).toBeHidden();

    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("combobox", { name: "Compared how" }).click();
    await page.getByRole("option", { name: "is not", exact: true }).click();
    await page.getByRole("textbox", { name: "Compared with" }).fill("nothing");
    await page.getByRole("button", { name: "Add filter" }).click();
    await expect(page.getByText("Answer is not “nothing”")).toBeVisible();
    await batch.results.getByRole("button", { name: "Line" }).click();
    await expect(page).toHaveURL(/sort=/);
    await page.setViewportSize({ width: 900, height: 720 });
    await page.keyboard.press("ControlOrMeta+f");
    await find.getByRole("textbox").fill("robe");
    await expect(find.locator("output")).toHaveText(/^\d+ lines?$/);
    await page.keyboard.press("Shift+Enter");
    await expect(batch.results.getByRole("row", { selected: true })).toContainText("robe");
    await expect(page.getByRole("button", { name: "Filter", exact: true })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Remove the filter: Answer is not “nothing”" }).click();
    await batch.results.getByRole("button", { name: "Line" }).click();
    await expect(page).toHaveURL(/descending%22%3Afalse/);
    await batch.results.getByRole("button", { name: "Line" }).click();
    await expect(page).not.toHaveURL(/sort=/);

    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "custom_id" }).check();
    await page.keyboard.press("Escape");
    await expect(batch.results.getByRole("columnheader", { name: "custom_id" })).toBeVisible();

    await batch.row(2).click();
    await batch.row(3).click({ modifiers: ["Shift"] });
    await page.keyboard.press("ControlOrMeta+c");
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/gsm8k-0002[^\n]*\n[^\n]*gsm8k-0003/);

    await page.getByRole("tab", { name: "Charts" }).click();
    await page.getByRole("combobox", { name: "Chart of" }).click();
    await page.getByRole("option", { name: "Finish" }).click();
    await page.getByRole("combobox", { name: "against" }).click();
    await page.getByRole("option", { name: "Tokens", exact: true }).click();
    await expect(page.getByRole("region", { name: "Tokens by Finish" })).toContainText("length");
    await expect(page).toHaveURL(/chart=finish&against=completion_tokens/);
    await page.getByRole("button", { name: "Show lines: length" }).first().click();
    await expect(page).toHaveURL(/finish=/);
    const rows = Number((await shown.textContent())?.split(" ")[0]);
    const path = await batch.exportResults("CSV");
    const table: unknown[] = parse(await readFile(path, "utf8"), { columns: true, bom: true });
    expect(table).toHaveLength(rows);

    // An address may name a column that is gone.
    const old = new URL(page.url());
    old.search = new URLSearchParams({ sort: JSON.stringify({ by: "source.gone", descending: true }) }).toString();
    await page.goto(old.href);
    await page.getByRole("button", { name: "Remove the order" }).click();
    await expect(shown).toHaveText(`${lines} lines`);
  },
);
