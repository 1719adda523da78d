import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { projectFile } from "../../fixtures/files.ts";
import { makeWorkbook } from "../../fixtures/workbook.ts";

const expectedSchema = z.array(z.object({ line: z.int(), code: z.string(), param: z.string().nullable() }));

appTest("what is wrong with a source or a prompt is said, until it is put right", async ({ page, buildPage }) => {
  const expected = expectedSchema.parse(
    JSON.parse(await readFile(projectFile("examples", "broken-batch.problems.json"), "utf8")),
  );
  await buildPage.open();
  await buildPage.dropFile(projectFile("examples", "broken-batch.jsonl"));
  await expect(buildPage.problems.getByText(`${expected.length} errors`)).toBeVisible();
  for (const { line } of expected) {
    await expect(buildPage.problems.getByRole("button", { name: new RegExp(`\\b${line}$`) }).first()).toBeVisible();
  }
  await expect(buildPage.submitButton).toBeDisabled();

  await buildPage.openNew();
  await buildPage.dropFile(projectFile("examples", "gsm8k-200.jsonl"));
  await buildPage.write("User message 1", "{{ qestion }}");
  await expect(buildPage.problems.getByText(/qestion/).first()).toBeVisible();
  await expect(buildPage.submitButton).toBeDisabled();
  await buildPage.write("User message 1", "{{ question }}");
  await buildPage.expectNoProblems("200");
  await expect(buildPage.submitButton).toBeEnabled();
  await buildPage.write("User message 1", `${"Think it over.\n".repeat(15)}{{ question }}`);
  const editor = await buildPage.prompt.getByRole("textbox", { name: "User message 1" }).boundingBox();
  expect(editor?.height, "an editor of sixteen lines").toBeGreaterThan(16 * 15);

  await buildPage.prompt.getByRole("radiogroup", { name: "Format of the answer" }).getByText("JSON schema").click();
  await buildPage.prompt.getByRole("button", { name: "Edit as JSON" }).click();
  await buildPage.write("JSON schema of the answer", '{ "type": "object", ');
  await expect(buildPage.problems.getByText(/^No problems/)).toBeHidden();
  await expect(buildPage.submitButton).toBeDisabled();
  await buildPage.write(
    "JSON schema of the answer",
    '{ "type": "object", "properties": {}, "additionalProperties": false }',
  );
  await buildPage.expectNoProblems("200");

  const toLine = (id: number) => ({
    custom_id: `r-${id}`,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "gpt-4o-mini", messages: [{ role: "user", content: "Hi" }] },
  });
  await page.locator("input[type=file]").setInputFiles({
    name: "foreign.jsonl",
    mimeType: "application/jsonl",
    buffer: Buffer.from([1, 2, 3].map((id) => JSON.stringify(toLine(id))).join("\n")),
  });
  await expect(buildPage.problems.getByText("3 errors in 3 of 3 lines")).toBeVisible();
  await buildPage.source.getByRole("button", { name: "Replace a value" }).click();
  const form = page.getByRole("dialog", { name: "Replace a value" });
  await expect(form.getByRole("combobox", { name: "From" })).toHaveValue("gpt-4o-mini");
  await form.getByRole("combobox", { name: "To" }).fill("deepseek-ai/DeepSeek-R1");
  await page.getByRole("option", { name: "deepseek-ai/DeepSeek-R1" }).click();
  await form.getByRole("button", { name: "Replace in 3 lines" }).click();
  await buildPage.expectNoProblems("3");
  const replaced = buildPage.source.getByRole("list", { name: "Replaced in all lines" });
  await expect(replaced).toContainText("body.model gpt-4o-mini → deepseek-ai/DeepSeek-R1");
  await expect(replaced).toContainText("3 lines");
  await replaced.getByRole("button", { name: "Undo the replacement of gpt-4o-mini" }).click();
  await expect(buildPage.problems.getByText("3 errors in 3 of 3 lines")).toBeVisible();
  await expect(replaced).toBeHidden();
  await page.getByRole("button", { name: "Undo", exact: true }).click();

  await page.setViewportSize({ width: 720, height: 600 });
  await page.getByRole("button", { name: "All 200 rows" }).click();
  await expect(page.getByRole("group", { name: "Ask which rows" })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  expect((await page.locator("footer").boundingBox())?.height, "the footer is one line").toBeLessThan(60);
  await page.setViewportSize({ width: 1280, height: 720 });

  await buildPage.openNew();
  await page.locator("input[type=file]").setInputFiles({
    name: "questions.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("id,سؤال\n"),
  });
  await expect(buildPage.source.getByRole("columnheader")).toHaveText(["#", "id", "سؤال"]);
  await expect(buildPage.source.getByText("No rows.")).toBeVisible();
  await expect(buildPage.source.getByText("0 rows")).toBeVisible();
  await expect(page.getByText("The source has no rows")).toBeVisible();
  await buildPage.source.getByRole("button", { name: "Change the source" }).click();
  await page.getByRole("switch", { name: "A row names the columns" }).click();
  await expect(buildPage.source.getByText("1 row", { exact: false })).toBeVisible();
  await expect(buildPage.source.getByText("No rows.")).toBeHidden();
  await expect(buildPage.source.getByRole("gridcell").getByText("سؤال")).toHaveCSS("direction", "rtl");
});

appTest(
  "a file that is no table makes way for another, whose sheet and header are shown and can be changed",
  async ({ page, buildPage }) => {
    const { source } = buildPage;
    const drop = (name: string, buffer: Buffer) =>
      page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/octet-stream", buffer });
    await buildPage.openNew();
    await drop("report.pdf", Buffer.from("%PDF-1.7"));
    await expect(source.getByRole("alert")).toContainText("report.pdf can’t be used");
    // Nothing is done with the draft as it is stored, but it is not the empty one that was asked for.
    await buildPage.openNew();
    await expect(source.getByRole("alert")).toBeHidden();
    await drop("report.dat", Buffer.from("%PDF-1.7"));
    await expect(source.getByRole("alert")).toContainText("report.dat could not be read");
    await expect(source.getByRole("button", { name: "Try again" })).toBeHidden();

    const workbook = makeWorkbook({
      Cover: [],
      Tickets: [
        ["Tickets of May"],
        [],
        ["id", "text", "score"],
        ["", "", "points"],
        [1, "Late again.", 3],
        [2, "Broken.", { formula: "C5" }],
        [3, "Fine.", 5],
      ],
      Codes: [["code"], ["late"]],
    });
    const chooser = page.waitForEvent("filechooser");
    await source.getByRole("button", { name: "Choose another file" }).click();
    await (await chooser).setFiles({ name: "tickets.xlsx", mimeType: "application/octet-stream", buffer: workbook });
    await expect(source.getByRole("columnheader")).toHaveText(["#", "id", "text", "score"]);
    await expect(source.getByText("3 rows", { exact: false })).toBeVisible();
    await expect(source.getByText("header in row 3")).toBeVisible();
    await expect(source.getByText("1 formula without a value: C6")).toBeVisible();
    await expect(source.getByRole("radio")).toHaveCount(3);
    await expect(source.getByRole("radio", { name: "Tickets" })).toBeChecked();

    await source.getByRole("button", { name: "Change the source" }).click();
    await page.getByRole("textbox", { name: "Skip after header" }).fill("0");
    await expect(source.getByText("4 rows", { exact: false })).toBeVisible();
    await page.getByRole("textbox", { name: "Header row" }).fill("1");
    await expect(source.getByRole("columnheader")).toHaveText(["#", "Tickets of May", "column_2", "column_3"]);
    await page.getByRole("switch", { name: "A row names the columns" }).click();
    await expect(source.getByText("no header")).toBeVisible();
    await page.keyboard.press("Escape");
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press("ControlOrMeta+z");
    await expect(source.getByText("header in row 3")).toBeVisible();
    await expect(source.getByText("1 row skipped")).toBeVisible();
    await source.getByText("Codes", { exact: true }).click();
    await expect(source.getByRole("columnheader")).toHaveText(["#", "code"]);

    await buildPage.openNew();
    await drop("words.csv", Buffer.from("alpha;beta\ngamma;delta\nepsilon;zeta\neta;theta\n"));
    await expect(source.getByText("First row is a header")).toBeVisible();
    await source.getByRole("button", { name: "No, it is data" }).click();
    await expect(source.getByRole("columnheader")).toHaveText(["#", "column_1", "column_2"]);
    await expect(source.getByText("First row is a header")).toBeHidden();
    await source.getByRole("button", { name: "Change the source" }).click();
    await page.getByRole("radiogroup", { name: "Columns are separated by" }).getByText("Tab").click();
    await expect(source.getByRole("columnheader")).toHaveText(["#", "alpha;beta"]);
  },
);

appTest(
  "a draft and the width of its panes are as they were left",
  async ({ page, buildPage, batchPage, batchesPage }) => {
    await buildPage.open();
    await buildPage.chooseFile(projectFile("examples", "gsm8k-200.jsonl"));
    await buildPage.write("User message 1", "Only the number: {{ question }}");
    await page.getByRole("textbox", { name: "Name of the batch" }).fill("Numbers only");
    await buildPage.expectNoProblems("200");
    await expect(page.getByText(/^Draft saved/)).toBeVisible();
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
    const message = buildPage.prompt.getByRole("textbox", { name: "User message 1" });
    await buildPage.write("User message 1", "At the last moment: {{ question }}");

    await page.reload();

    await expect(message).toContainText("At the last moment:");
    await expect(page.getByRole("textbox", { name: "Name of the batch" })).toHaveValue("Numbers only");
    await expect(buildPage.source.getByText("gsm8k-200.jsonl", { exact: true })).toBeVisible();
    await buildPage.expectNoProblems("200");
    await expect.poll(width).toBeCloseTo(wide, 0);
    await edge.press("Enter");
    await expect.poll(width).toBeCloseTo(usual, 0);

    // Its keys hold at once when it is opened from the rail.
    await batchesPage.open();
    await buildPage.open();
    await buildPage.expectNoProblems("200");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(batchPage.results).toBeVisible();
    await batchPage.expectDone();
  },
);

appTest("a draft that is open in two tabs is not saved over, and is looked at anew", async ({ page, buildPage }) => {
  await buildPage.open();
  const { other, otherName, name } = await openTwice(page);
  await otherName.fill("Seen");
  await expect(other.getByText(/^Draft saved/)).toBeVisible();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(name).toHaveValue("Seen");

  await otherName.fill("Theirs");
  await expect(other.getByText(/^Draft saved/)).toBeVisible();
  await name.fill("Mine");
  const conflict = page.getByRole("alert").filter({ hasText: "changed in another window" });
  await expect(conflict).toBeVisible();
  await name.fill("Mine, and more");
  await conflict.getByRole("button", { name: "Load the other" }).click();
  await expect(conflict).toBeHidden();
  await expect(name).toHaveValue("Theirs");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(name).toHaveValue("Mine, and more");
  await expect(page.getByText(/^Draft saved/)).toBeVisible();

  await otherName.fill("Theirs again");
  const otherConflict = other.getByRole("alert").filter({ hasText: "changed in another window" });
  await otherConflict.getByRole("button", { name: "Save mine" }).click();
  await expect(otherConflict).toBeHidden();
  await expect(other.getByText(/^Draft saved/)).toBeVisible();
  await other.reload();
  await expect(otherName).toHaveValue("Theirs again");
});

async function openTwice(page: Page) {
  await page.waitForURL(/\/build\/draft_/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  const nameOn = (tab: Page) => tab.getByRole("textbox", { name: "Name of the batch" });
  await expect(nameOn(other)).toBeVisible();
  return { other, otherName: nameOn(other), name: nameOn(page) };
}

appTest("a trial is a table of the answers' fields, with other versions beside them", async ({ page, buildPage }) => {
  const tickets = ["Exports stop", "Two invoices", "No way in"].map((ticket, at) => `t-${at + 1},${ticket},bug\n`);
  await buildPage.open();
  await page.locator("input[type=file]").setInputFiles({
    name: "tickets.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`id,ticket,label\n${tickets.join("")}`),
  });
  await buildPage.write("User message 1", "Sort this ticket into a topic: {{ ticket }}");
  const { prompt, preview } = buildPage;
  await prompt.getByRole("radiogroup", { name: "Format of the answer" }).getByText("JSON schema").click();
  await prompt.getByRole("button", { name: "Edit as JSON" }).click();
  const topic = { type: "object", properties: { reply: { type: "string" }, topic: { type: "string", enum: ["bug"] } } };
  const schema = { ...topic, required: ["reply", "topic"], additionalProperties: false };
  await buildPage.write("JSON schema of the answer", JSON.stringify(schema));
  await buildPage.expectNoProblems("3");
  const answers = preview.getByRole("table", { name: "Answers of the trial" });
  const heads = answers.getByRole("columnheader");
  await preview.getByRole("button", { name: "Try 3 rows" }).click();
  await expect(heads).toHaveText(["id", "ticket", "expected", "reply", "topic3 of 3 right"]);
  await expect(answers.getByRole("rowheader")).toHaveText(["t-1", "t-2", "t-3"]);
  await expect(answers.getByRole("cell").filter({ hasText: /^bug$/ })).toHaveCount(6);
  await expect(answers).toContainText("Exports stop");
  await expect(answers).not.toContainText("Sort this");
  const drawer = page.getByRole("dialog", { name: "Trial" });
  const closeDrawer = async () => {
    await expect(drawer).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
  };
  await closeDrawer();
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await page.reload();
  await expect(answers.getByRole("rowheader")).toHaveText(["t-1", "t-2", "t-3"]);

  await prompt.getByRole("button", { name: "Add version" }).click();
  await prompt.getByText("More parameters").click();
  await prompt.getByRole("textbox", { name: "Most tokens in the answer" }).fill("1");
  const answersOfA = preview.getByRole("table", { name: "Answers of A" });
  await expect(answersOfA).toBeVisible();
  await preview.getByRole("button", { name: "Try 3 rows" }).click();
  await expect(heads).toHaveText(["id", "ticket", "expected", "reply", /^topic/, /^A/]);
  await expect(answers.getByText("Breaks the schema: The answer is no JSON.")).toHaveCount(3);
  await closeDrawer();
  await prompt.getByRole("tab", { name: "A", exact: true }).click();
  await buildPage.write("User message 1", "Briefly: {{ ticket }}");
  await expect(preview.getByText(/the prompt has changed since/)).toBeVisible();
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await page.reload();
  await expect(preview.getByText(/the prompt has changed since/)).toBeVisible();
  await preview.getByRole("button", { name: "Try all versions" }).click();
  await expect(page.getByRole("dialog", { name: "Try all versions" })).toContainText("6 calls: 3 rows for each of 2");
  await page.getByRole("button", { name: "Try 2 versions" }).click();
  const footer = drawer.getByRole("contentinfo");
  await expect(footer).toHaveText(/^3 of 3 rows answered · (3 break the schema · )?median [\d.]+ m?s(Try again)?$/);
  const differ = drawer.getByRole("checkbox", { name: "Differ (3)" });
  await differ.check();
  await expect(drawer.getByRole("rowheader")).toHaveCount(3);
  await differ.uncheck();
  await footer.getByRole("button", { name: "Try again" }).click();
  await expect(footer.getByRole("button", { name: "Try again" })).toBeVisible();
  await closeDrawer();
  await expect(preview.getByText(/the prompt has changed since/)).toBeHidden();
  await expect(preview.getByRole("button", { name: "Try 3 rows" })).toBeVisible();
  await answers.getByRole("button", { name: "t-2" }).click();
  await expect(answers.locator("pre")).toHaveCount(2);
});
