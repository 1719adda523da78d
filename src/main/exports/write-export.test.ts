import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import readSheets from "read-excel-file/node";
import { expect, test } from "vitest";
import { createRowSurvey } from "./columns.ts";
import { type ExportRow, parseExportRow } from "./export-row.ts";
import { type TableFormat, writeTable } from "./write-export.ts";
import { writeXlsx } from "./xlsx.ts";

const hostile = [
  'He said "no", twice',
  "line\nfeed\r\nand\rreturn",
  "👩‍🚀 𝒳 \u{1F1EA}\u{1F1FA}",
  "مرحبا \u202Eabc\u202C שלום",
  '=HYPERLINK("http://evil.example","x")',
  "+1+1",
  "-5",
  "@SUM(A1)",
  "\ttab",
  "  spaces  ",
  "",
  "control \u0001 and _x0041_",
  "a".repeat(1_000_000),
  "0042",
  "9007199254740993",
];

const table = ["id", "answer", "price", "note"];

function makeLine(at: number, content: string) {
  const usage = { prompt_tokens: at, completion_tokens: 2 * at, total_tokens: 3 * at };
  const body = { id: "c", choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }], usage };
  return {
    id: `r-${at}`,
    custom_id: `q-${at}`,
    response: { status_code: 200, request_id: `req-${at}`, body },
    error: null,
  };
}

const rows = hostile.map((text, at) =>
  parseExportRow(makeLine(at + 1, text), [`q-${at + 1}`, text, at % 2 ? "1.5" : "12", "007"]),
);
rows.push(
  parseExportRow(
    makeLine(
      100,
      '```json\n{"score": 9007199254740993, "ok": true, "price": 1.10, "who": {"name": "=A1", "tags": ["a", 1.50]}}\n```',
    ),
    null,
  ),
  parseExportRow(makeLine(101, '{"score": 2, "ok": false, "price": 3, "who": {"name": null, "tags": []}}'), null),
  parseExportRow(
    {
      id: "e",
      custom_id: "bad",
      response: { status_code: 503, request_id: "r", body: { error: { message: "The model is busy.", code: "busy" } } },
      error: null,
    },
    null,
  ),
);

function survey(wanted?: readonly string[]) {
  const found = createRowSurvey(table);
  for (const row of rows) found.add(row);
  return found.columns(wanted);
}

async function* inSteps(of: readonly ExportRow[], step = 4): AsyncGenerator<readonly ExportRow[]> {
  for (let from = 0; from < of.length; from += step) yield of.slice(from, from + step);
}

async function write(format: TableFormat, columns?: readonly string[]): Promise<Buffer> {
  const written = writeTable({ format, columns: survey(columns), rows: inSteps(rows) });
  return Buffer.concat(await Array.fromAsync(written));
}

const names = [
  "custom_id",
  "id",
  "table.answer",
  "price",
  "note",
  "answer",
  "answer.score",
  "answer.ok",
  "answer.price",
  "answer.who.name",
  "answer.who.tags",
  "finish_reason",
  "status",
  "error",
  "prompt_tokens",
  "completion_tokens",
];

test("CSV is read back by another library, with formulas as text", async () => {
  const [header, ...records] = parse(await write("csv")) as string[][];
  expect(header).toEqual(names);
  const asText = hostile.map((text) => (/^[=+\-@\t\r]/.test(text) && text !== "-5" ? `'${text}` : text));
  expect(records.slice(0, hostile.length).map((record) => [record[2], record[5]])).toEqual(
    asText.map((text) => [text, text]),
  );
  expect(records[hostile.length]?.slice(6, 11)).toEqual(["9007199254740993", "true", "1.10", "'=A1", '["a",1.50]']);
  expect(records.at(-1)?.slice(11, 14)).toEqual(["", "failed", "busy: The model is busy."]);
});

test("flat JSON Lines keep the text of numbers", async () => {
  const lines = (await write("flat", ["custom_id", "answer.score", "answer.who.tags.1", "source.answer"]))
    .toString()
    .split("\n");
  expect(lines[hostile.length]).toBe(
    '{"custom_id":"q-100","answer.score":9007199254740993,"answer.who.tags.1":1.50,"answer":null}',
  );
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ "answer.score": null, answer: hostile[0] });
});

test("XLSX is read back by another library: long cells are cut and listed, numbers beyond 15 digits are text", async () => {
  const [results, cut] = await readSheets(await write("xlsx"), { trim: false });
  expect([results?.sheet, cut?.sheet]).toEqual(["Results", "Cut cells"]);
  const [header, ...records] = results?.data ?? [];
  expect(header).toEqual(names);
  expect(records.slice(0, hostile.length).map((record) => record[5] ?? "")).toEqual(
    hostile.map((text) => text.slice(0, 32_767)),
  );
  expect(records[hostile.length]?.slice(6, 11)).toEqual(["9007199254740993", true, 1.1, "=A1", '["a",1.50]']);
  expect(records[0]?.slice(3, 5)).toEqual([12, "007"]);
  expect(cut?.data.slice(1)).toEqual([
    ["Results!C14", "q-13", "table.answer", 1_000_000],
    ["Results!F14", "q-13", "answer", 1_000_000],
  ]);
});

test("a sheet that is full is followed by another one", async () => {
  const columns = [
    { path: "custom_id", name: "custom_id", type: "text", read: (row: { customId: string }) => row.customId },
  ] as const;
  const bytes = Buffer.concat(
    await Array.fromAsync(writeXlsx(columns, inSteps(rows.slice(0, 5)), { rowsPerSheet: 3 })),
  );
  const sheets = await readSheets(bytes);
  expect(sheets.map(({ sheet, data }) => [sheet, data.flat()])).toEqual([
    ["Results", ["custom_id", "q-1", "q-2"]],
    ["Results 2", ["custom_id", "q-3", "q-4"]],
    ["Results 3", ["custom_id", "q-5"]],
  ]);
});

test("Parquet is read back by another library, with the types of its columns", async () => {
  const bytes = await write("parquet");
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const records = await parquetReadObjects({ file: file as ArrayBuffer, compressors });
  expect(Object.keys(records[0] ?? {})).toEqual(names);
  expect(records.slice(0, hostile.length).map((record) => record.answer)).toEqual(hostile);
  expect(records[hostile.length]).toMatchObject({
    "answer.score": 9007199254740993n,
    "answer.ok": true,
    "answer.price": 1.1,
    "answer.who.tags": '["a",1.50]',
    prompt_tokens: 100n,
    price: null,
  });
  expect(records[0]).toMatchObject({ price: 12, note: "007", "answer.ok": null });
});

test("an export stops when its reader goes away, and when its rows fail", async () => {
  let closed = 0;
  const failing = async function* () {
    try {
      yield rows.slice(0, 2);
      throw new Error("The disk is gone.");
    } finally {
      closed += 1;
    }
  };
  for (const format of ["csv", "xlsx", "parquet"] as const) {
    const all = Array.fromAsync(writeTable({ format, columns: survey(), rows: failing() }));
    await expect(all).rejects.toThrow("The disk is gone.");
  }
  expect(closed).toBe(3);
  const endless = async function* () {
    try {
      for (;;) yield rows;
    } finally {
      closed += 1;
    }
  };
  for (const format of ["csv", "xlsx", "parquet"] as const) {
    for await (const { length } of writeTable({ format, columns: survey(), rows: endless() })) if (length > 100) break;
  }
  await expect.poll(() => closed).toBe(6);
});
