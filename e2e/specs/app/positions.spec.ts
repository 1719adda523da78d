import { appTest, expect } from "../../fixtures/app-test.ts";
import { runAnsweredBatches } from "../../fixtures/batches.ts";
import { expectOpen } from "../../fixtures/expect-open.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";

/** More than three pages of the table. */
const lines = 420;

appTest.use({ viewport: { width: 1_000, height: 720 } });

appTest("a position in a table is never lost: by a link, an order, a tab, or a way back", async ({ page, host }) => {
  await runAnsweredBatches(host, { First: lines, Second: lines });
  const batches = new BatchesPage(page);
  const batch = new BatchPage(page);
  const selected = batch.results.getByRole("row", { selected: true });
  const scroller = batch.results.locator("xpath=..");
  const topOf = () => scroller.evaluate((element) => element.scrollTop);
  const leftOf = () => scroller.evaluate((element) => element.scrollLeft);

  await batches.open();
  await batches.row("First").getByText("First", { exact: true }).click();
  await expect(batch.row(1)).toBeVisible();
  const address = new URL(page.url());

  await appTest.step("a link with a line, a filter and an order shows and selects the row", async () => {
    const columns = [{ path: "answer", op: "not_equals", value: "nothing" }];
    const sort = { by: "line", descending: true };
    const search = { line: 350, sort, columns };
    address.search = new URLSearchParams(
      Object.entries(search).map(([key, value]) => [key, JSON.stringify(value)]),
    ).toString();
    await page.goto(address.href);
    await expect(selected).toHaveAccessibleName(/^350 /);
    await expect(selected).toBeInViewport({ ratio: 1 });
    await expect(batch.inspector).toHaveAccessibleName("Line 350");
    await page.getByRole("button", { name: "Next line (J)" }).click();
    await expect(batch.inspector).toHaveAccessibleName("Line 349");
    await expect(selected).toHaveAccessibleName(/^349 /);
    // The rows around the line are not there while the table shows others.
    await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await expect(batch.row(1)).toBeVisible();
    await page.getByRole("button", { name: "Next line (J)" }).click();
    await expect(batch.inspector).toHaveAccessibleName("Line 348");
    await expect(selected).toBeInViewport({ ratio: 1 });
  });

  await appTest.step("what an address asks for and the page can't read is named", async () => {
    address.search = new URLSearchParams({ line: "2", sort: "odd", verdicts: '["maybe"]' }).toString();
    await page.goto(address.href);
    const message = page.getByRole("alert").filter({ hasText: "can't read a part of its address: sort, verdicts" });
    await expect(batch.inspector).toHaveAccessibleName("Line 2");
    await message.getByRole("button").click();
    await expect(message).toBeHidden();
    // Filters by a run that the batch has not.
    address.search = new URLSearchParams({ verdicts: '["contradicted"]', grades: '["fail"]' }).toString();
    await page.goto(address.href);
    await expect(page.getByText("Not filtered by verdict: verify the answers first.")).toBeVisible();
    await expect(page.getByText("Not filtered by grade: grade the answers first.")).toBeVisible();
    await page.getByRole("button", { name: "Dismiss: Not filtered by verdict" }).click();
    await expect(page).not.toHaveURL(/verdicts/);
  });

  await appTest.step("an order by a column far right keeps the place in the columns, and the focus", async () => {
    address.search = "";
    await page.goto(address.href);
    await expect(batch.results.getByRole("columnheader", { name: "Answer", exact: true })).toBeVisible();
    const edge = batch.results.getByRole("separator", { name: "Width of Question" });
    for (let press = 0; press < 40; press++) await edge.press("ArrowRight");
    await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    const left = await leftOf();
    expect(left).toBeGreaterThan(50);
    const header = batch.results.getByRole("columnheader").last().getByRole("button");
    await header.click();
    await expect(page).toHaveURL(/sort=/);
    await expect(header).toBeFocused();
    await expect(batch.results.getByRole("row", { selected: true })).toHaveCount(0);
    expect(await leftOf()).toBe(left);
    await header.press("Enter");
    await header.press("Enter");
    await expect(page).not.toHaveURL(/sort=/);
  });

  await appTest.step("Charts and back, and Back, return to the row", async () => {
    await scroller.evaluate((element) => element.scrollTo({ top: 236 * 34 }));
    await batch.openLine(240);
    await page.keyboard.press("Escape");
    await expect(batch.inspector).toBeHidden();
    const top = await topOf();
    await page.getByRole("tab", { name: "Charts" }).click();
    await expect(batch.results).toBeHidden();
    await page.getByRole("tab", { name: /^Results/ }).click();
    await expect(batch.row(240)).toBeInViewport({ ratio: 0.5 });
    await expect(selected).toHaveAccessibleName(/^240 /);
    expect(await topOf()).toBe(top);
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page).toHaveTitle(/^Home/);
    await page.goBack();
    await expect(batch.row(240)).toBeInViewport({ ratio: 0.5 });
    expect(await topOf()).toBe(top);
  });

  await appTest.step("while an input method composes, Enter and Escape are its own", async () => {
    const compose = (key: string) =>
      page.evaluate((key) => {
        const options = { key, isComposing: true, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", options));
      }, key);
    const find = page.getByRole("search");
    await page.keyboard.press("ControlOrMeta+f");
    await find.getByRole("textbox").fill("the");
    await expect(find.locator("output")).toHaveText(/^\d+ lines?$/);
    await compose("Enter");
    await compose("Escape");
    await expect(find.getByRole("textbox")).toHaveValue("the");
    await expect(find.locator("output")).toHaveText(/^\d+ lines?$/);
    await page.keyboard.press("Enter");
    await expect(find.locator("output")).toHaveText(/^\d+ of \d+$/);
    await page.keyboard.press("Escape");
    await expect(find).toBeHidden();
    await page.getByRole("button", { name: "First, rename" }).click();
    const name = page.getByRole("textbox", { name: "Name of the batch" });
    await name.fill("Renamed");
    await compose("Enter");
    await compose("Escape");
    await expect(name).toHaveValue("Renamed");
    await name.press("Escape");
    await expect(page.getByRole("button", { name: "First, rename" })).toBeVisible();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: /^Export/ });
    await expect(dialog).toBeVisible();
    await compose("Escape");
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  await appTest.step("a pasted column is one value for each cell, and what has no room is counted", async () => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("combobox", { name: "Compared how" }).click();
    await page.getByRole("option", { name: "is one of", exact: true }).click();
    const paste = (text: string) =>
      page.getByRole("combobox", { name: "Compared with" }).evaluate((field, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    await paste(Array.from({ length: 10_003 }, (_, at) => `value ${at}`).join("\r\n"));
    await expect(page.getByText("At most 10,000 values: 3 of the pasted values were left out.")).toBeVisible();
    await page.getByRole("button", { name: "Remove the pasted values" }).click();
    await paste("x".repeat(1_001));
    await expect(page.getByText("A value has at most 1,000 characters.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add filter" })).toBeDisabled();
    await page.keyboard.press("Escape");
    const batchId = page.url().match(/batch_\w+/)?.[0] ?? "";
    // The ids of two lines, among 9,000 others.
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("combobox", { name: "Column" }).click();
    await page.getByRole("option", { name: "custom_id", exact: true }).click();
    await page.getByRole("combobox", { name: "Compared how" }).click();
    await page.getByRole("option", { name: "is one of", exact: true }).click();
    const { rows } = await host.client.results.page({ batchId, offset: 10, limit: 2 });
    const values = [...Array.from({ length: 9_000 }, (_, at) => `none ${at}`), ...rows.map(({ customId }) => customId)];
    await paste(values.join("\n"));
    await expect(page.getByText("9,002 values pasted")).toBeVisible();
    await page.getByRole("button", { name: "Add filter" }).click();
    await expect(page.getByText("custom_id is one of 9,002 values")).toBeVisible();
    await expect(batch.results.getByRole("row")).toHaveCount(3);
    expect(page.url().length).toBeLessThan(500);
    await page.reload();
    await expect(batch.results.getByRole("row")).toHaveCount(3);
    await page.goto(page.url().replace(/(list%22%3A%22)[0-9a-f]{32}/, `$1${"0".repeat(32)}`));
    await expect(
      page.getByText(/The list of 9,002 values that “custom_id” is filtered by is no longer stored/),
    ).toBeVisible();
    await page.getByRole("button", { name: "Remove the filters" }).click();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("combobox", { name: "Compared how" }).click();
    await page.getByRole("option", { name: "is not empty", exact: true }).click();
    await page.getByRole("button", { name: "Add filter" }).click();
    await expect(page.getByText("Answer is not empty")).toBeVisible();
    await page.getByRole("button", { name: "Remove the filter: Answer is not empty" }).click();
  });

  await appTest.step("Compare: a link shows the row, and a way back returns to it", async () => {
    const rows = await host.client.batches.list({ limit: 10 });
    const ids = rows.batches.map(({ id }) => id).join(",");
    await page.goto(`${address.origin}/compare?ids=${encodeURIComponent(JSON.stringify(ids))}&show=%22all%22&line=350`);
    const table = page.getByRole("grid", { name: "Compared lines" });
    const open = table.getByRole("row", { selected: true });
    await expect(open).toBeInViewport({ ratio: 1 });
    await expect(open).toHaveAttribute("data-index", "349");
    await page.getByRole("button", { name: "Next line (J)" }).click();
    await expect(open).toHaveAttribute("data-index", "350");
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page).toHaveTitle(/^Home/);
    await page.goBack();
    await expect(open).toHaveAttribute("data-index", "350");
    await expect(open).toBeInViewport({ ratio: 1 });
  });

  await appTest.step("a reload on Home stays on Home, wherever another window is", async () => {
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page).toHaveTitle(/^Home/);
    const other = await page.context().newPage();
    await other.goto(`${address.origin}/batches`);
    await expect(other).toHaveTitle(/^Batches/);
    await other.goto(address.origin);
    await expect(other).toHaveTitle(/^Batches/);
    await page.reload();
    await expectOpen(page);
    await expect(page).toHaveTitle(/^Home/);
    await other.close();
  });

  await appTest.step("a reload in the dark theme draws nothing light before the page's script runs", async () => {
    await page.emulateMedia({ colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.evaluate(() => localStorage.setItem("sheaf.theme", "dark"));
    const scripts = /\/assets\/index-[\w-]+\.js$/;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(scripts, async (route) => {
      await held;
      await route.continue();
    });
    const script = page.waitForRequest(scripts);
    await page.reload({ waitUntil: "commit" });
    await script;
    await expect(page.locator("#root")).toBeAttached();
    // No style is there yet: nothing is drawn without one.
    await expect.poll(ground).toMatch(/^rgb\(/);
    const early = await ground();
    expect(early).not.toBe(light);
    release();
    await expectOpen(page);
    expect(await ground()).toBe(early);
  });
});
