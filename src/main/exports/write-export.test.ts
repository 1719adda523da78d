import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as xlsx from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import readSheets from "read-excel-file/node";
import { expect, test } from "vitest";
import { type CsvOptions, excelCsvOptions } from "#contract";
import { isSheetNumber } from "./cells.ts";
import { createRowSurvey, type ExportColumn } from "./columns.ts";
import { writeCsv } from "./csv.ts";
import { type ExportRow, parseExportRow } from "./export-row.ts";
import { createRowStore, inParts } from "./row-store.ts";
import { listTextColumns, type TableFormat, writeTable } from "./write-export.ts";
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

function survey(wanted?: readonly string[], of: readonly ExportRow[] = rows) {
  const found = createRowSurvey(table, { wanted });
  return { stored: of.map(found.add), columns: found.columns() };
}

async function* inSteps<Row>(of: readonly Row[], step = 4): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < of.length; from += step) yield of.slice(from, from + step);
}

async function write(format: TableFormat, columns?: readonly string[]): Promise<Buffer> {
  const surveyed = survey(columns);
  const written = writeTable({ format, columns: surveyed.columns, rows: inSteps(surveyed.stored) });
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
  "cached_tokens",
  "cache_write_tokens",
  "completion_tokens",
  "reasoning_tokens",
  "cost",
  "model",
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

test("CSV has the delimiter, decimals, mark and formulas that are chosen", async () => {
  const answers = [
    '{"n":1.50,"t":"a;b"}',
    '{"n":-2,"t":"-1,234.5 %"}',
    '{"n":3e2,"t":"=A1"}',
    '{"n":0.5,"t":"+49 30 123"}',
  ];
  const of = answers.map((answer, at) => parseExportRow(makeLine(at, answer), null));
  const { stored, columns } = survey(["answer.n", "answer.t"], of);
  const writeWith = async (csv: CsvOptions) =>
    Buffer.concat(await Array.fromAsync(writeTable({ format: "csv", columns, rows: inSteps(stored), csv }))).toString();
  const german = await writeWith(excelCsvOptions("de-DE"));
  expect(german.startsWith("\uFEFFanswer.n;answer.t\r\n")).toBe(true);
  const records = parse(german, { delimiter: ";", bom: true, from: 2 });
  expect(records).toEqual([
    ["1,50", "a;b"],
    ["-2", "-1,234.5 %"],
    ["3e2", "'=A1"],
    ["0,5", "+49 30 123"],
  ]);
  expect(excelCsvOptions("en-US")).toEqual({ byteOrderMark: true, delimiter: ",", decimalComma: false });
  expect(await writeWith({ escapeFormulas: false, delimiter: "\t" })).toBe(
    'answer.n\tanswer.t\r\n1.50\t"a;b"\r\n-2\t"-1,234.5 %"\r\n3e2\t=A1\r\n0.5\t+49 30 123\r\n',
  );
});

test("a field of numbers is an integer, a double or, where that would be another number, text that is named", async () => {
  const fields = {
    long: ["9223372036854775807", "-9007199254740993", "-0", "7"],
    double: ["0.1234567890123456", "1.50", "2e3", "12345678901234567000"],
    other: ["0.1000000000000000055", "1", "2.5", "3"],
    mixed: ["9007199254740993", "0.5", "1", "2"],
    shapes: ["1", '{"inner":2}', "3", "4"],
  };
  const of = [0, 1, 2, 3].map((at) => {
    const members = Object.entries(fields).map(([name, texts]) => `"${name}":${texts[at]}`);
    return parseExportRow(makeLine(at, `{${members.join(",")}}`), null);
  });
  const { stored, columns } = survey(undefined, of);
  const answers = columns.filter(({ path }) => path.startsWith("answer."));
  const bytes = Buffer.concat(
    await Array.fromAsync(writeTable({ format: "parquet", columns: answers, rows: inSteps(stored) })),
  );
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const records = await parquetReadObjects({ file, compressors });
  expect(records).toMatchObject(
    [9223372036854775807n, -9007199254740993n, 0n, 7n].map((long, at) => ({
      "answer.long": long,
      "answer.double": Number(fields.double[at]),
      "answer.other": fields.other[at],
      "answer.mixed": fields.mixed[at],
      "answer.shapes": [1n, null, 3n, 4n][at],
      "answer.shapes.inner": [null, 2n, null, null][at],
    })),
  );
  expect(listTextColumns("parquet", columns)).toEqual([
    { column: "answer.other", number: "0.1000000000000000055" },
    { column: "answer.mixed", number: "9007199254740993" },
  ]);
  expect(listTextColumns("csv", columns)).toEqual([]);
});

test("spreadsheets have numbers of a table as numbers, with the zeros at their ends, among texts, too", async () => {
  const found = createRowSurvey(["price", "zip", "mixed", "id"]);
  const cells = [
    ["1.50", "10115", "n/a", "1234567890123456789"],
    ["12.125", "00501", "2.50", "7"],
    ["0.14285714285714285", "", "x", "8"],
  ];
  const stored = cells.map((row, at) => found.add(parseExportRow(makeLine(at, `{"long":${10 ** 15 + at}}`), row)));
  const paths = ["source.price", "source.zip", "source.mixed", "source.id", "answer.long"];
  const columns = paths.map((path) => found.columns().find((column) => column.path === path) ?? neverColumn);
  const writeAs = async (format: TableFormat, csv: CsvOptions = {}) =>
    Buffer.concat(await Array.fromAsync(writeTable({ format, columns, rows: inSteps(stored), csv })));
  const german = parse(await writeAs("csv", excelCsvOptions("de-DE")), { delimiter: ";", bom: true, from: 2 });
  expect(german).toEqual([
    ["1,50", "10115", "n/a", "1234567890123456789", "1000000000000000"],
    ["12,125", "00501", "2,50", "7", "1000000000000001"],
    ["0,14285714285714285", "", "x", "8", "1000000000000002"],
  ]);
  const book = await writeAs("xlsx");
  expect((await readSheets(book))[0]?.data.slice(1)).toEqual([
    [1.5, "10115", "n/a", "1234567890123456789", "1000000000000000"],
    [12.125, "00501", 2.5, "7", "1000000000000001"],
    [0.14285714285714285, null, "x", "8", "1000000000000002"],
  ]);
  const { Sheets } = xlsx.read(book, { type: "buffer", cellNF: true });
  expect(["A2", "A3", "C3"].map((cell) => [Sheets.Results?.[cell].w, Sheets.Results?.[cell].z])).toEqual([
    ["1.50", "0.00"],
    ["12.125", "General"],
    ["2.50", "0.00"],
  ]);
  expect(listTextColumns("xlsx", columns)).toEqual([{ column: "answer.long", number: "1000000000000000" }]);
});

test("spreadsheets have numbers that are too near to zero for a double as texts", () => {
  const texts = ["0", "-0.00", "0e5", "1e-300", "1e-400", "-1.5e-320", "1e400"];
  expect(texts.map(isSheetNumber)).toEqual([true, true, true, true, false, false, false]);
});

const neverColumn: ExportColumn = {
  path: "",
  name: "",
  type: "text",
  inexactNumber: null,
  roundedNumber: null,
  read: () => null,
  readForSheet: () => null,
};

test("a row of CSV with one cell and no value is no blank line", async () => {
  const columns = [{ name: "only", read: (row: { cell: string | null }) => row.cell }];
  const bytes = await Array.fromAsync(writeCsv(columns, inSteps([{ cell: "a" }, { cell: null }, { cell: "" }])));
  expect(Buffer.concat(bytes).toString()).toBe('only\r\na\r\n""\r\n""\r\n');
});

test("the marks of CSV for Excel are those of Windows", () => {
  const marks = (locale: string) => {
    const { delimiter, decimalComma } = excelCsvOptions(locale);
    return `${delimiter} ${decimalComma ? "," : "."}`;
  };
  const separators = {
    ",": "en-US en-GB en-ZA es-MX es-US ja-JP zh zh-TW he hi ko pa ta-IN th vi hy",
    ";": "en-ID de de-DE de-CH fr-FR fr-CA es-ES es-419 es-AR it pt-BR ru sv tr ar fa ms sw ta-LK pa-Arab zh-Hans-HK",
  };
  for (const [separator, locales] of Object.entries(separators)) {
    for (const locale of locales.split(" ")) expect(excelCsvOptions(locale).delimiter, locale).toBe(separator);
  }
  const locales = ["en-US", "de-DE", "de-CH", "fr-FR", "es-MX", "pt-BR", "ja-JP"];
  expect(locales.map(marks)).toEqual([", .", "; ,", "; .", "; ,", ", .", "; ,", ", ."]);
});

test("a cell that is cut does not end with half a character", async () => {
  const columns = [{ name: "long", read: (row: { customId: string }) => row.customId }];
  const rows = inSteps([{ customId: `${"a".repeat(32_766)}🎉 and more` }]);
  const [results] = await readSheets(Buffer.concat(await Array.fromAsync(writeXlsx(columns, rows))));
  expect(results?.data[1]).toEqual(["a".repeat(32_766)]);
});

test("answers that are no text are in tables: calls of tools, refusals, other choices and reasoning", async () => {
  const call = (name: string, args: unknown) => ({ id: "1", type: "function", function: { name, arguments: args } });
  const messages: (readonly object[])[] = [
    [
      {
        content: null,
        tool_calls: [call("weather", '{"city":"Oslo","at":{"lat":59.90}}'), call("weather", '{"city":"Rome"}')],
      },
    ],
    [
      {
        content: "Let me look.",
        tool_calls: [call("time", { zone: "CET" }), { type: "custom", custom: { name: "run", input: "ls" } }],
      },
    ],
    [{ content: null, refusal: "I can't help with that." }],
    [{ content: "One.", reasoning_content: "Hm." }, { content: "Two." }, { content: null, refusal: "No." }],
    [{ content: null, function_call: { name: "old", arguments: "no JSON" } }],
  ];
  const of = messages.map((choices, at) => {
    const line = makeLine(at, "");
    const body = { ...line.response.body, choices: choices.map((message) => ({ message, finish_reason: "stop" })) };
    return parseExportRow({ ...line, response: { ...line.response, body } }, null);
  });
  const { stored, columns } = survey(undefined, of);
  const byRow = stored.map((row) =>
    Object.fromEntries(columns.flatMap(({ name, read }) => (read(row) === null ? [] : [[name, read(row)]]))),
  );
  expect(byRow).toMatchObject([
    {
      answer: 'weather({"city":"Oslo","at":{"lat":59.90}})\nweather({"city":"Rome"})',
      "tool.weather": '{"city":"Oslo","at":{"lat":59.90}}',
      "tool.weather.city": "Oslo",
      "tool.weather.at.lat": { number: "59.90" },
      "tool.weather_2": '{"city":"Rome"}',
      "tool.weather_2.city": "Rome",
    },
    { answer: "Let me look.", "tool.time": '{"zone":"CET"}', "tool.time.zone": "CET", "tool.run": "ls" },
    { answer: "I can't help with that." },
    { answer: "One.", reasoning: "Hm.", "choice.2": "Two.", "choice.3": "No." },
    { answer: "old(no JSON)", "tool.old": "no JSON" },
  ]);
  const wanted = survey(["answer", "tool.weather.city", "choice.2"], of);
  expect(wanted.columns.map(({ name }) => name)).toEqual(["answer", "tool.weather.city", "choice.2"]);
  expect(wanted.stored.map((row) => wanted.columns.slice(1).map(({ read }) => read(row)))).toEqual([
    ["Oslo", null],
    [null, null],
    [null, null],
    [null, "Two."],
    [null, null],
  ]);
  for (const format of ["csv", "xlsx", "parquet", "flat"] as const) {
    const bytes = await Array.fromAsync(writeTable({ format, columns, rows: inSteps(stored) }));
    expect(Buffer.concat(bytes).length, format).toBeGreaterThan(100);
  }
});

test("with others, the wanted columns come beside all that are found, in rows as on screen", () => {
  const wanted = ["line", "question", "answer.who.tags.0", "source.note"];
  const all = createRowSurvey(table, { wanted, withOthers: true });
  const stored = rows.map(all.add);
  const columns = all.columns();
  const found = new Set(columns.map(({ name }) => name));
  for (const name of [...names, "line", "question", "answer.who.tags.0"]) expect(found).toContain(name);
  expect(found.size).toBe(columns.length);
  const read = columns.find(({ path }) => path === "answer.who.tags.0")?.read;
  expect(stored.map((row) => read?.(row)).filter((cell) => cell !== null)).toEqual(["a"]);
});

test("rows are stored once and read back in any order", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-rows-"));
  const store = createRowStore(join(folder, "rows"));
  try {
    const { stored, columns } = survey();
    const numbers = stored.map(store.append);
    expect(store.read(numbers)).toEqual(stored);
    const order = [2, 3, 1, ...numbers.toReversed()];
    const read = [...inParts(order, store.length)].map((some) => store.read(some));
    expect(read.length).toBeGreaterThan(1);
    expect(read.flat()).toEqual(order.map((number) => stored[number]));
    expect(columns.map(({ read: readCell }) => readCell(read.flat()[3] ?? never))).toEqual(
      columns.map(({ read: readCell }) => readCell(stored.at(-1) ?? never)),
    );
  } finally {
    store.close();
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  }
});

const never = { customId: "", cells: [], tableCells: null };

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

test("a sheet has widths, wrapped texts, a head that stays, and a filter", async () => {
  const { Sheets } = xlsx.read(await write("xlsx", ["custom_id", "answer", "prompt_tokens"]), {
    type: "buffer",
    cellStyles: true,
  });
  const sheet = Sheets.Results;
  expect(sheet?.["!autofilter"]).toEqual({ ref: `A1:C${rows.length + 1}` });
  expect(sheet?.["!cols"]?.map(({ width }) => width)).toEqual([13, 20, 17]);
  const parts = xlsx.CFB.read(await write("xlsx", ["answer"]), { type: "buffer" });
  const text = (name: string) => Buffer.from(xlsx.CFB.find(parts, name).content).toString();
  expect(text("/xl/worksheets/sheet1.xml")).toContain('<pane ySplit="1"');
  const styles = text("/xl/styles.xml").split("<cellXfs")[1]?.split("<xf ") ?? [];
  const wrapped = /<c r="A2" t="inlineStr" s="(\d+)"/.exec(text("/xl/worksheets/sheet1.xml"))?.[1];
  expect(styles[Number(wrapped) + 1]).toContain('wrapText="1"');
});

test("a sheet that is full is followed by another one", async () => {
  const columns = [
    { path: "custom_id", name: "custom_id", type: "text", read: (row: { customId: string }) => row.customId },
  ] as const;
  const bytes = Buffer.concat(
    await Array.fromAsync(writeXlsx(columns, inSteps(rows.slice(0, 5).map(({ line }) => line)), { rowsPerSheet: 3 })),
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
  const { stored, columns } = survey();
  const failing = async function* () {
    try {
      yield stored.slice(0, 2);
      throw new Error("The disk is gone.");
    } finally {
      closed += 1;
    }
  };
  for (const format of ["csv", "xlsx", "parquet"] as const) {
    const all = Array.fromAsync(writeTable({ format, columns, rows: failing() }));
    await expect(all).rejects.toThrow("The disk is gone.");
  }
  expect(closed).toBe(3);
  const endless = async function* () {
    try {
      for (;;) yield stored;
    } finally {
      closed += 1;
    }
  };
  for (const format of ["csv", "xlsx", "parquet"] as const) {
    for await (const { length } of writeTable({ format, columns, rows: endless() })) if (length > 100) break;
  }
  await expect.poll(() => closed).toBe(6);
});
