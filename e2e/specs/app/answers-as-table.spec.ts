import { readFile } from "node:fs/promises";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import readSheets from "read-excel-file/node";
import { expect } from "../../fixtures/app-test.ts";
import { createKeyboard, createMouse, type Hand } from "../../fixtures/hands.ts";
import { walkApp } from "../../fixtures/screens.ts";
import { makeWorkbook } from "../../fixtures/workbook.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BuildPage } from "../../pages/build-page.ts";
import { GradingPart } from "../../pages/run-part.ts";

const topics = ["billing", "bug", "login"];
const tickets = Array.from({ length: 12 }, (_, at) => ({
  id: `t-${at + 1}`,
  text: `Ticket number ${at + 1}.`,
  topic: topics[at % 3] ?? "",
  // No two are alike, and sorted as texts they would be in another order.
  score: (at + 1) * 1.25,
}));

/** A title and a blank row are above the header. */
const workbook = makeWorkbook({
  Tickets: [
    ["Tickets of May"],
    [],
    ["id", "ticket", "expected"],
    ...tickets.map(({ id, text, topic }) => [id, text, topic]),
  ],
});

const prompts = { A: "Classify this ticket: {{ ticket }}", B: "Name the topic of: {{ ticket }}" };
const noJson = "I can’t tell.";
/** Which tickets each version of the prompt gets wrong, by their place. The first of A is answered with text. */
const wrong = { A: [3, 4], B: [4, 5, 6] };

const rules = (["A", "B"] as const).flatMap((version) =>
  tickets.map(({ text, topic, score }, at) => {
    const given = wrong[version].includes(at) ? topics.find((one) => one !== topic) : topic;
    const isText = version === "A" && at === wrong.A[0];
    return {
      match: { last_user_message: prompts[version].replace("{{ ticket }}", text) },
      reply: isText ? { text: noJson } : { json: { topic: given, score } },
    };
  }),
);

const schema = {
  type: "object",
  properties: { topic: { type: "string", enum: topics }, score: { type: "number" } },
  required: ["topic", "score"],
  additionalProperties: false,
};

type Parts = Parameters<Parameters<typeof walkApp>[1]>[0];

/** From a table to its exported answers, all with one hand. */
async function walk({ page, host, check }: Parts, hand: Hand): Promise<void> {
  await host.client.server.setRules({ text: JSON.stringify({ rules }) });
  await host.client.server.change({ engine: { kind: "scripted" } });
  const build = new BuildPage(page);
  const batch = new BatchPage(page);
  const button = (label: string | RegExp) => page.getByRole("button", { name: label, exact: true });

  // The table, with two versions of a prompt.
  await hand.press(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Build" }));
  await build.show("Source");
  const chooser = page.waitForEvent("filechooser");
  await hand.press(build.source.getByRole("button", { name: "Choose file" }));
  await (await chooser).setFiles({ name: "tickets.xlsx", mimeType: "application/octet-stream", buffer: workbook });
  await expect(build.source.getByText("header in row 3")).toBeVisible();
  await expect(build.source.getByRole("columnheader")).toHaveText(["#", "id", "ticket", "expected"]);
  const message = build.prompt.getByRole("textbox", { name: "User message 1" });
  await hand.write(message, prompts.A);
  await hand.pick(build.prompt.getByRole("radiogroup", { name: "Format of the answer" }), "JSON schema");
  await hand.press(build.prompt.getByRole("button", { name: "Edit as JSON" }));
  await hand.write(build.prompt.getByRole("textbox", { name: "JSON schema of the answer" }), JSON.stringify(schema));
  // Tab indents in an editor of code.
  await page.keyboard.press("Escape");
  await hand.press(build.prompt.getByRole("button", { name: "Add version" }));
  await hand.write(message, prompts.B);
  await build.expectNoProblems("12");

  // A trial of both is a table.
  await build.show("Preview");
  await hand.press(build.preview.getByRole("button", { name: "Try all versions" }));
  await hand.press(button("Try 2 versions"));
  const answers = build.preview.getByRole("table", { name: "Answers of the trial" });
  await expect(answers.getByRole("columnheader")).toHaveText([
    "id",
    "ticket",
    "expected",
    /^topic\d+ of 10 right$/,
    "score",
    /^A/,
  ]);
  await expect(answers.getByRole("rowheader")).toHaveCount(10);
  const drawer = page.getByRole("dialog", { name: "Trial" });
  await expect(drawer.getByRole("rowheader")).toHaveCount(10);
  await check("answers-trial");
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await hand.press(button("Submit 2 batches"));
  await page.waitForURL(/\/compare/);
  await hand.press(button("tickets, A"));
  await batch.expectDone();
  const heads = batch.results.getByRole("columnheader");
  await expect(heads.filter({ hasText: "topic" })).toBeVisible();
  await expect(heads.filter({ hasText: "score" })).toBeVisible();

  // Both versions are graded as one act, and a count of the label matrix leads to its lines.
  const grading = new GradingPart(page);
  const { dialog } = grading;
  await hand.press(button("More actions"));
  await hand.press(page.getByRole("menuitem", { name: "Grade answers" }));
  await expect(dialog.getByRole("combobox", { name: "Path" })).toHaveValue("$.topic");
  await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await hand.press(dialog.getByRole("button", { name: "Grade answers" }));
  await grading.expectAnnounced(/^Graded: 10 of 12 lines passed$/);
  await check("answers-results");
  await hand.press(page.getByRole("tab", { name: "Grades" }));
  await hand.press(button("Show 1 line: expected bug, given billing"));
  const shown = page.getByRole("main").locator("output").filter({ hasText: "lines" });
  await expect(shown).toHaveText("1 of 12 lines");
  await expect(batch.results.getByRole("row").nth(1)).toContainText(/5\./);
  await hand.press(button(/^Remove the filter: Expected/));
  await hand.press(button(/^Remove the filter: Given/));
  await expect(shown).toHaveText("12 lines");

  // By the field that was graded the versions are compared.
  await hand.press(button("More actions"));
  await hand.press(page.getByRole("menuitem", { name: "Compare versions" }));
  await expect(page.getByRole("combobox", { name: "What is compared" })).toHaveValue("answer.topic");
  await hand.press(button("2 lost: lines that A passes and B fails"));
  await expect(page.getByRole("grid", { name: "Compared lines" }).getByRole("row")).toHaveCount(3);
  await check("answers-compared");
  await hand.press(button("tickets, A"));

  // What breaks the schema is filtered, a line is found, and the rows are sorted.
  await hand.press(button("Filter"));
  await hand.choose(page.getByRole("combobox", { name: "Compared how" }), "breaks the schema");
  await hand.press(button("Add filter"));
  await expect(shown).toHaveText("1 of 12 lines");
  await expect(batch.results.getByRole("row").nth(1)).toContainText(noJson);
  await hand.press(button(/^Remove the filter/));
  await hand.press(button("Find in the lines"));
  const find = page.getByRole("search");
  await hand.write(find.getByRole("textbox"), "number 7");
  await expect(find.locator("output")).toHaveText("1 line");
  await hand.press(find.getByRole("button", { name: "Next hit" }));
  await expect(batch.results.getByRole("row", { selected: true })).toContainText(/^7/);
  await page.keyboard.press("Escape");
  await hand.press(batch.results.getByRole("button", { name: "score" }));
  await expect(page).toHaveURL(/descending%22%3Afalse/);
  await hand.press(batch.results.getByRole("button", { name: "score" }));
  await expect(page).toHaveURL(/descending%22%3Atrue/);

  // Both files have the stored values in the order that is shown, lines without a score last.
  async function exportAs(format: string, { onlyShown }: { onlyShown: boolean }): Promise<Buffer> {
    const download = page.waitForEvent("download");
    await hand.press(button("Export"));
    const form = page.getByRole("dialog", { name: /^Export/ });
    await hand.pick(form.getByRole("radiogroup", { name: "Format" }), format);
    if (onlyShown) await hand.press(form.getByRole("checkbox", { name: "Only the columns that are shown" }));
    await hand.press(form.getByRole("button", { name: "Export", exact: true }));
    return readFile(await (await download).path());
  }
  const rowOf = ({ id, score }: { readonly id: string; readonly score: number | null }) => [id, score];
  const scored = tickets.filter((_, at) => at !== wrong.A[0]).toReversed();
  const unscored = tickets.filter((_, at) => at === wrong.A[0]).map(({ id }) => ({ id, score: null }));
  const expected = [...scored, ...unscored].map(rowOf);
  const [sheet] = await readSheets(await exportAs("Excel workbook", { onlyShown: false }));
  const [header = [], ...rows] = sheet?.data ?? [];
  expect(header).toEqual(expect.arrayContaining(["line", "ticket", "expected", "question", "milliseconds"]));
  const cells = ["custom_id", "answer.score"].map((name) => header.indexOf(name));
  expect(rows.map((row) => cells.map((at) => row[at]))).toEqual(expected);
  const { buffer, byteOffset, length } = await exportAs("Parquet", { onlyShown: true });
  const file = buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;
  const records = await parquetReadObjects({ file, compressors });
  expect(records.map((record) => [`t-${record.line}`, record["answer.score"]])).toEqual(expected);
  const usual = ["line", "grade", "custom_id", "ticket", "expected", "answer.topic", "answer.score"];
  expect(Object.keys(records[0] ?? {})).toEqual([...usual, "completion_tokens", "milliseconds"]);
}

walkApp("a workbook becomes answers as a table, by mouse", (parts) => walk(parts, createMouse(parts.page)));
// The screens are the same: they are looked at once.
walkApp("a workbook becomes answers as a table, by keyboard", ({ page, ...parts }) =>
  walk({ ...parts, page, check: async () => {} }, createKeyboard(page)),
);
