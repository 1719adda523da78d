import { expect, test } from "vitest";
import { allRows, describeNotes, type Source, sourceNotesSchema } from "#contract";
import type { DraftContent } from "../draft/draft-content.ts";
import { describeSource } from "./describe-source.ts";
import { findFaultyLine, spreadOut, toLine } from "./edited-line.ts";
import { explainUnreadable, readPastedRows } from "./readable-files.ts";
import { applySource, followColumns, nameFromFile, suggestCustomId } from "./source-defaults.ts";
import { measureColumn } from "./source-rows.ts";

const source: Source = {
  id: "source_1",
  name: "reviews.csv",
  kind: "csv",
  holds: "rows",
  bytes: 10,
  rowCount: 12_408,
  columns: ["id", "product", "review"],
  csv: { delimiter: ",", quote: '"', escape: null, comment: null, trim: false, header: 1, skip: 0 },
  encoding: "utf-8",
  sheet: null,
  sheets: [],
  valuesAsShown: false,
  visibleRowsOnly: false,
  notes: sourceNotesSchema.parse({ emptyCells: null, raggedRows: null, renamed: [] }),
  editedLines: [],
  replacements: [],
};

test("a source is described in short", () => {
  expect(describeSource(source)).toEqual(["12,408 rows", "3 columns", "10 B", "comma", "UTF-8"]);
  expect(describeSource({ ...source, kind: "jsonl", csv: null, rowCount: 1, columns: ["question"] })).toEqual([
    "1 row",
    "1 column",
    "10 B",
    "JSON Lines",
    "UTF-8",
  ]);
  const workbook = { ...source, kind: "xlsx", encoding: null, sheet: "Q1", sheets: ["Q1"] } as const;
  expect(describeSource({ ...workbook, sheets: [...workbook.sheets] }).slice(2)).toEqual([
    "10 B",
    "XLSX",
    "sheet “Q1”",
  ]);
  const csv = { delimiter: ",", quote: '"', escape: null, comment: null, trim: false, header: 4, skip: 2 } as const;
  const below = ["header in row 4", "2 rows skipped"];
  expect(describeSource({ ...workbook, sheets: ["Q1", "Q2"], csv }).slice(3)).toEqual(["XLSX", ...below]);
  expect(describeSource({ ...source, csv: { ...csv, header: null, skip: 0 } }).at(-1)).toBe("no header");
  expect(describeSource({ ...source, csv: { ...csv, delimiter: "^" } })[3]).toBe("delimiter ^");
  expect(describeSource({ ...source, csv: { ...csv, delimiter: "\u001f" } })[3]).toBe("delimiter U+001F");
  expect(describeSource({ ...source, kind: "jsonl", csv: null, holds: "requests" })).toEqual([
    "12,408 requests",
    "10 B",
    "JSON Lines",
    "UTF-8",
  ]);
});

test("a source says what one should know before it is used", () => {
  const formulas = { count: 12, first: ["B2", "B3", "B4", "B5", "B6"] };
  const failedFormulas = { count: 1, first: ["C3 (#DIV/0!)"] };
  const roundedNumbers = { count: 1, first: ["A2"] };
  const notes = {
    ...{ emptyCells: 1, raggedRows: 2_000, renamed: ["name_2"], formulas, doubts: [], comments: 3 },
    ...{ failedFormulas, roundedNumbers, hiddenRows: 5 },
  };
  expect(describeNotes(notes)).toEqual([
    "1 empty cell",
    "2,000 rows with too few or too many cells",
    "3 comment lines left out",
    "12 formulas without a value: B2, B3, B4 …",
    "1 formula with an error: C3 (#DIV/0!)",
    "1 number cut to 15 digits: A2",
    "5 hidden rows",
    "repeated names: name_2",
  ]);
  expect(describeNotes(source.notes)).toEqual([]);
});

test.each([
  "table.csv",
  "table.TSV",
  "rows.jsonl",
  "rows.ndjson",
  "book.xlsx",
  "book.xls",
  "book.xlsb",
  "book.ods",
  "rows.parquet",
  "notes.txt",
  "no-extension",
])("%s may be a source", (name) => expect(explainUnreadable({ name, size: 1 })).toBeNull());

test.each(["book.numbers", "rows.csv.gz", "report.pdf", "photo.JPG", "rows.arrow"])("%s is refused by name", (name) =>
  expect(explainUnreadable({ name, size: 1 })).toMatch(/drop/i),
);

test("an empty file is refused before it is sent", () => {
  expect(explainUnreadable({ name: "table.csv", size: 0 })).toContain("is empty");
});

test("pasted rows become a file, and a pasted word does not", async () => {
  const paste = (plain: string, html = "") => readPastedRows({ plain, html });
  const table = paste("id,question\n1,Why\n");
  expect(table?.name).toBe("Pasted rows.txt");
  expect(await table?.text()).toBe("id,question\n1,Why\n");
  expect(paste('{"question":"Why"}')?.name).toBe("Pasted rows.json");
  expect(paste('[{"question":"Why"}]')?.name).toBe("Pasted rows.json");
  expect(paste("id\tquestion\n1\tWhy")?.name).toBe("Pasted rows.tsv");
  expect(paste("[see the note]")).toBeNull();
  expect(paste("just a word")).toBeNull();
  expect(paste("")).toBeNull();
});

test("cells of a sheet are pasted as the table that the clipboard has of them", async () => {
  const html = "<meta charset='utf-8'><table><tr><td>id</td><td>text</td></tr></table>";
  const pasted = readPastedRows({ plain: 'id\ttext\n1\t"a\nb"', html });
  expect(pasted?.name).toBe("Pasted rows.html");
  expect(await pasted?.text()).toBe(`<!doctype html>${html}`);
  expect(readPastedRows({ plain: "a\nb", html: "<p>a</p><p>b</p>" })?.name).toBe("Pasted rows.txt");
  expect(readPastedRows({ plain: "word", html: "<table><tr><td>word</td></tr></table>" })).toBeNull();
});

const other: Source = { ...source, id: "source_2", name: "questions.jsonl", columns: ["question"] };
const empty: DraftContent = {
  name: "",
  sourceId: null,
  layout: null,
  rows: allRows,
  pictureFolders: [],
  versions: [],
  selected: "",
  connectionId: null,
  model: "m",
  otherModels: [],
  customId: "",
};

test.each([
  [["id", "question"], "{{ id }}"],
  [["question", "ID"], "{{ ID }}"],
  [["custom_id", "text"], "{{ custom_id }}"],
  [["custom_id", "id"], "{{ id }}"],
  [["question", "answer"], "line-{{ row_number }}"],
  [[], "line-{{ row_number }}"],
])("the line id for the columns %j is %s", (columns, expected) => {
  expect(suggestCustomId(columns)).toBe(expected);
});

test("a file's name becomes a batch's name without its extension", () => {
  expect(nameFromFile("reviews.csv")).toBe("reviews");
  expect(nameFromFile("2024.q1.jsonl")).toBe("2024.q1");
  expect(nameFromFile(".csv")).toBe(".csv");
  expect(nameFromFile("x".repeat(240))).toHaveLength(200);
});

test("the first source names the draft and gives the line id", () => {
  expect(applySource(empty, source, undefined)).toEqual({
    sourceId: "source_1",
    layout: null,
    name: "reviews",
    customId: "{{ id }}",
  });
});

test("another source changes what came from the first, and nothing the user wrote", () => {
  const filled = { ...empty, ...applySource(empty, source, undefined) };
  expect(applySource(filled, other, source)).toMatchObject({ name: "questions", customId: "line-{{ row_number }}" });
  const example = { ...filled, name: "200 math questions" };
  expect(applySource(example, other, undefined)).toMatchObject({ name: "questions" });
  const written = { ...filled, name: "First pass", customId: "r-{{ id }}" };
  expect(applySource(written, other, source)).toEqual({
    sourceId: "source_2",
    layout: null,
    customId: "r-{{ id }}",
  });
});

test("a file of ready requests gives no line id, because its lines have theirs", () => {
  expect(applySource(empty, { ...source, holds: "requests" }, undefined)).not.toHaveProperty("customId");
});

test("a line id that was suggested follows the columns, one that was written stays", () => {
  expect(followColumns("{{ id }}", ["id", "q"], ["column_1", "column_2"])).toBe("line-{{ row_number }}");
  expect(followColumns("line-{{ row_number }}", ["q"], ["id"])).toBe("{{ id }}");
  expect(followColumns("q-{{ id }}", ["id"], ["column_1"])).toBe("q-{{ id }}");
});

test("short columns keep their content whole, and long text gives way first", () => {
  expect(measureColumn("id", ["1", "20"])).toEqual({ least: 46, weight: 3 });
  expect(measureColumn("product", ["Kettle"])).toEqual({ least: 82, weight: 7 });
  expect(measureColumn("review", ["x".repeat(30)])).toEqual({ least: 108, weight: 30 });
});

test("one endless cell does not decide", () => {
  const texts = Array.from({ length: 20 }, (_, at) => "x".repeat(at === 0 ? 2_000 : 30));
  expect(measureColumn("review", texts)).toEqual({ least: 108, weight: 30 });
});

test("before there are rows, the names decide", () => {
  expect(measureColumn("customer feedback", [])).toEqual({ least: 108, weight: 17 });
});

test("a line is spread out to be edited, token by token, and is one line again when it is saved", () => {
  const line = '{"id":12345678901234567890,"x":1.50,"list":[1,{"a":"}\\n"}],"none":{},"empty":[]}';
  const text = spreadOut(line);
  expect(text.split("\n")).toEqual([
    "{",
    '  "id": 12345678901234567890,',
    '  "x": 1.50,',
    '  "list": [',
    "    1,",
    "    {",
    '      "a": "}\\n"',
    "    }",
    "  ],",
    '  "none": {},',
    '  "empty": []',
    "}",
  ]);
  expect(toLine(text)).not.toContain("\n");
  expect(JSON.parse(toLine(text))).toEqual(JSON.parse(line));
  expect(spreadOut('{"a": "open')).toBe('{\n  "a": "open');
  const picture = JSON.stringify({ a: "A".repeat(12_000_000) });
  expect(spreadOut(picture)).toHaveLength(picture.length + 5);
});

test("the faulty lines are gone through in their order, whatever group they are in", () => {
  const group = { code: "invalid_type", count: 1, lines: 1, first: [] } as const;
  const groups = [
    { ...group, severity: "error" as const, where: [[5, 7]] as [number, number][], first: [] },
    {
      ...group,
      severity: "error" as const,
      where: [
        [2, 2],
        [6, 6],
      ] as [number, number][],
      first: [],
    },
    { ...group, severity: "warning" as const, where: [[3, 3]] as [number, number][], first: [] },
  ];
  expect([0, 2, 5, 6, 7].map((row) => findFaultyLine(groups, row, 1))).toEqual([2, 5, 6, 7, null]);
  expect([2, 5, 9].map((row) => findFaultyLine(groups, row, -1))).toEqual([null, 2, 7]);
});
