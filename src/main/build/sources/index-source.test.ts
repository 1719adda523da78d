import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ZipFile } from "yazl";
import type { SourceLayout } from "#contract";
import { indexSource, readSourceHead } from "./index-source.ts";
import { readSomeRows } from "./read-rows.ts";
import { checkpointBytes, type SourceIndex } from "./stored-source.ts";

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-sources-"));
  path = join(folder, "content");
});
afterAll(() => rm(folder, { recursive: true }));

async function index(content: string | Uint8Array, name = "table.csv"): Promise<SourceIndex> {
  await writeFile(path, content);
  return readIndex(name);
}

async function readIndex(name: string, layout?: SourceLayout): Promise<SourceIndex> {
  const last = (await Array.fromAsync(indexSource(path, name, layout))).at(-1);
  if (last?.phase !== "indexed") throw new Error("The reading ended without an index.");
  return last.index;
}

async function cells(source: SourceIndex, from = 1, limit = 10): Promise<(readonly string[])[]> {
  return (await readSomeRows(join(folder, source.content), source, from, limit)).map((row) => row.cells);
}

async function faults(source: SourceIndex): Promise<(readonly [number, string])[]> {
  const rows = await readSomeRows(path, source, 1, 1000);
  return rows.flatMap(({ number, fault }) => (fault === null ? [] : [[number, fault] as const]));
}

describe("a table of text", () => {
  it("has quoted commas, quotes and line breaks in its cells", async () => {
    const source = await index('id,text\r\n1,"a, ""b""\r\nc"\r\n2,plain\r\n');
    expect(source).toMatchObject({ kind: "csv", columns: ["id", "text"], rowCount: 2, encoding: "utf-8" });
    expect(await cells(source)).toEqual([
      ["1", 'a, "b"\r\nc'],
      ["2", "plain"],
    ]);
  });

  it.each([
    ["semicolons", ";", "semi.csv"],
    ["tabs", "\t", "table.tsv"],
    ["bars", "|", "bars.txt"],
    ["commas", ",", "table.csv"],
  ])("is recognised with %s", async (_name, delimiter, name) => {
    const lines = ["id,name,note", 'a1,Ann,"1,5; then | more"', "a2,Bob,plain"];
    const text = lines.map((line) => line.replaceAll(/,(?! |5)/g, delimiter)).join("\n");
    const source = await index(text, name);
    expect(source.csv).toMatchObject({ delimiter, header: 1, skip: 0 });
    expect(source.columns).toEqual(["id", "name", "note"]);
    expect(await cells(source)).toEqual([
      ["a1", "Ann", "1,5; then | more"],
      ["a2", "Bob", "plain"],
    ]);
  });

  it("has each line whole where it is a list of texts", async () => {
    const source = await index(
      "Say hello, world.\nOne, two, three; four\nNo comma here\nAgain, one\nLast, but not least, this\n",
      "asks.txt",
    );
    expect(source).toMatchObject({ columns: ["column_1"], rowCount: 5, notes: { raggedRows: 0 } });
    expect((await cells(source))[1]).toEqual(["One, two, three; four"]);
  });

  it("is read without the byte-order mark of UTF-8", async () => {
    const source = await index("\ufeffquestion,answer\nWhy?,Because\n");
    expect(source.columns).toEqual(["question", "answer"]);
    expect(await cells(source)).toEqual([["Why?", "Because"]]);
  });

  it("is read from UTF-16, as spreadsheets save Unicode text", async () => {
    const source = await index(Buffer.from("\ufeffname\tcity\r\nZoë\t京都\r\n", "utf16le"), "unicode.txt");
    expect(source).toMatchObject({ encoding: "utf-16le", csv: { delimiter: "\t", header: 1 } });
    expect(await cells(source)).toEqual([["Zoë", "京都"]]);
  });

  it("is read from windows-1252", async () => {
    const text = "name;price\nCaf\xe9;5 \x80\n\x93quoted\x94;7\n";
    const source = await index(Buffer.from(text, "latin1"));
    expect(source.encoding).toBe("windows-1252");
    expect(await cells(source)).toEqual([
      ["Café", "5 €"],
      ["“quoted”", "7"],
    ]);
  });

  it("has a header row where the first row names columns, and none where it is data", async () => {
    expect((await index("1,Ann\n2,Bob\n")).columns).toEqual(["column_1", "column_2"]);
    expect((await index("What is 2 + 2?\nWhat is 3 + 3?\n")).columns).toEqual(["column_1"]);
    expect((await index("question\nWhat is 2 + 2?\n")).columns).toEqual(["question"]);
  });

  it.each([
    ["id,question", ["id", "question"]],
    ["\ufeffquestion\r\n", ["question"]],
    ['Customer feedback;"Order id"\n\n', ["Customer feedback", "Order id"]],
  ])("has no rows where its only line names columns: %j", async (text, columns) => {
    const source = await index(text);
    expect(source).toMatchObject({ columns, rowCount: 0, csv: { header: 1 } });
    expect(await cells(source)).toEqual([]);
  });

  it.each([
    "What is 2 + 2?,4",
    "Tell me a joke",
    "7,Ann",
    "Write a short poem,in German",
    "2024-05-01,rain",
    "Ann,Ann",
  ])("has one row where its only line is data: %j", async (text) => {
    expect(await index(text)).toMatchObject({ rowCount: 1, csv: { header: null } });
  });

  it("names empty and repeated columns so that each has a name of its own", async () => {
    const source = await index("a, b ,,a\n1,2,3,4\n5,,,\n6\n");
    expect(source.columns).toEqual(["a", "b", "column_3", "a_2"]);
    expect(source.notes).toMatchObject({ renamed: ["a_2"], emptyCells: 3, raggedRows: 1 });
  });

  it("is read anew with another layout", async () => {
    await index("a;b\n1;2\n");
    const csv = { delimiter: ",", header: null, skip: 0 } as const;
    expect(await readIndex("table.csv", { csv, encoding: null, sheet: null })).toMatchObject({
      columns: ["column_1"],
      rowCount: 2,
      csv: { delimiter: ",", header: null },
    });
  });

  it("leaves out what is above its header and what is asked for after it, by the numbers that its file has", async () => {
    const text =
      '\ufeffTickets of May,,\r\n"a note\r\nof two lines",,\r\n\r\nid,text,score,\r\n,,points,\r\n1,"Late, again",3,\r\n\r\n2,,4,\r\n';
    const source = await index(text);
    // The last column has neither a name nor a value.
    expect(source).toMatchObject({ csv: { header: 4, skip: 1 }, columns: ["id", "text", "score"], rowCount: 2 });
    expect(source.notes).toMatchObject({ emptyCells: 1, raggedRows: 0 });
    expect(await cells(source)).toEqual([
      ["1", "Late, again", "3"],
      ["2", "", "4"],
    ]);
    const read = (header: number | null, skip: number) =>
      readIndex("table.csv", { csv: { delimiter: ",", header, skip }, encoding: null, sheet: null });
    expect(await read(4, 0)).toMatchObject({ rowCount: 3 });
    // Row 3 is blank, and row 7, too: the next one counts.
    expect(await read(3, 0)).toMatchObject({ rowCount: 3, csv: { header: 4 }, columns: ["id", "text", "score"] });
    const last = await read(4, 3);
    expect(last.rowCount).toBe(1);
    expect(await cells(last)).toEqual([["2", "", "4"]]);
    expect(await read(null, 0)).toMatchObject({ rowCount: 6, columns: ["column_1", "column_2", "column_3"] });
    expect(await read(null, 5)).toMatchObject({ rowCount: 2, columns: ["column_1", "column_2", "column_3"] });
    await expect(read(20, 0)).rejects.toThrow("This table has 8 rows, and none with the number 20.");
  });

  it("keeps a row with too few or too many cells, and says what is wrong with it", async () => {
    const source = await index("a,b,c\n1,2,3\n1,2\n1,2,3,4\n1,2,3,,\n");
    expect(source.rowCount).toBe(4);
    expect(await faults(source)).toEqual([
      [2, "This row has 2 cells; the table has 3 columns."],
      [3, "This row has 4 cells; the table has 3 columns."],
    ]);
    expect(await cells(source, 2, 1)).toEqual([["1", "2", ""]]);
  });

  it("loses no row to a quote that is never closed", async () => {
    const source = await index('id,text\n1,"sound"\n2,"never closed\n3,"sound, too"\n4,plain\n');
    expect(source.rowCount).toBe(4);
    expect((await faults(source)).map(([row]) => row)).toEqual([2]);
    expect(await cells(source, 3, 2)).toEqual([
      ["3", "sound, too"],
      ["4", "plain"],
    ]);
  });

  it("loses no row to a quote that is open until the end of a large file", async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row},some text without quotes in row ${row}`);
    rows[100] = '100,"open';
    const source = await index(`id,text\n${rows.join("\n")}\n`);
    expect(source.rowCount).toBe(20_000);
    expect((await readSomeRows(path, source, 101, 2)).map(({ fault }) => fault === null)).toEqual([false, true]);
    expect(await cells(source, 20_000)).toEqual([["19999", "some text without quotes in row 19999"]]);
  });

  it("reads quotes inside unquoted text as they stand", async () => {
    const source = await index('id,size\n1,5" pipe\n2,"6"" pipe"\n');
    expect(await faults(source)).toEqual([]);
    expect(await cells(source)).toEqual([
      ["1", '5" pipe'],
      ["2", '6" pipe'],
    ]);
  });

  it("reports a row whose text is not UTF-8 in a file that is", async () => {
    const good = "1,Zoë\n".repeat(20_000);
    const source = await index(
      Buffer.concat([Buffer.from(`id,name\n${good}2,`), Buffer.from([0xe9]), Buffer.from("\n")]),
    );
    expect(source).toMatchObject({ encoding: "utf-8", rowCount: 20_001 });
    expect((await readSomeRows(path, source, 20_001, 1))[0]?.fault).toContain("not UTF-8");
  });

  it("may use a replacement character as text", async () => {
    expect(await faults(await index("id,name\n1,\ufffd\n"))).toEqual([]);
  });
});

describe("a file of JSON lines", () => {
  it("has the keys of its first rows as columns and nested values as JSON", async () => {
    const source = await index(
      '{"q":"a","n":{"x":[1,2]}}\n{"q":"b","tags":["t"],"ok":true,"none":null}\n',
      "rows.jsonl",
    );
    expect(source).toMatchObject({ kind: "jsonl", holds: "rows", csv: null, rowCount: 2 });
    expect(source.columns).toEqual(["q", "n.x", "tags", "ok", "none"]);
    expect(await cells(source)).toEqual([
      ["a", "[1,2]", "", "", ""],
      ["b", "", '["t"]', "true", ""],
    ]);
  });

  it("keeps every digit of a number", async () => {
    const source = await index('{"id":12345678901234567890,"x":1.50,"deep":{"y":1e3}}\n', "rows.jsonl");
    expect(await cells(source)).toEqual([["12345678901234567890", "1.50", "1e3"]]);
  });

  it("keeps broken lines as rows and says what is wrong with each", async () => {
    const source = await index('{"a":1}\n{"a":\n[1]\n\n1e5\n{"a":2}', "rows.jsonl");
    expect(source.rowCount).toBe(5);
    const found = await faults(source);
    expect(found.map(([row]) => row)).toEqual([2, 3, 4]);
    expect(found[0]?.[1]).toContain("not JSON");
    expect(found[1]?.[1]).toContain("not a JSON object");
  });

  it("is recognised whatever its name", async () => {
    expect((await index('{"a":1}\n', "export.txt")).kind).toBe("jsonl");
    await expect(index("a,b\n1,2\n", "export.jsonl")).rejects.toThrow("No row of this file is a JSON object.");
    expect((await index("a,b\n1,2\n", "export.txt")).kind).toBe("csv");
  });

  it("holds requests where its lines are those of a batch input file", async () => {
    const request = '{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{}}';
    const source = await index(`${request}\nnot json\n\n${request}`, "batch.jsonl");
    expect(source).toMatchObject({ kind: "jsonl", holds: "requests", columns: ["line"], rowCount: 4 });
    expect(await cells(source, 2, 2)).toEqual([["not json"], [""]]);
    expect((await index('{"url":"https://a","body":"text"}\n', "pages.jsonl")).holds).toBe("rows");
  });

  it("reads all 1,319 questions of GSM8K", async () => {
    await copyFile(fileURLToPath(new URL("../../../../examples/gsm8k-1319.jsonl", import.meta.url)), path);
    const source = await readIndex("gsm8k-1319.jsonl");
    expect(source).toMatchObject({ rowCount: 1319, columns: ["id", "question", "answer"], holds: "rows" });
    const [last] = await cells(source, 1319);
    expect(last?.[0]).toBe("gsm8k-1319");
    expect(last?.[1]).toMatch(/\?$/);
  });
});

describe("the number of rows", () => {
  const rows = Array.from({ length: 300 }, (_, row) => [`${row}`, `line one of ${row}\nline two, "quoted"`, "end"]);
  const write = (lineEnd: string, delimiter: string) =>
    [["id", "text", "note"], ...rows]
      .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
      .join(lineEnd);

  it.each([
    ["LF", write("\n", ",")],
    ["CRLF", write("\r\n", ";")],
    ["CRLF and a line end at the end", `${write("\r\n", ",")}\r\n`],
    ["a byte-order mark and blank lines at the end", `\ufeff${write("\n", "\t")}\n\n\n`],
    ["CR", `${write("\r", ",")}\r`],
    ["line ends in texts as CRLF", write("\n", ",").replaceAll("one of", "one\r\nof")],
  ])("is 300 with %s", async (_name, text) => {
    const source = await index(text);
    expect(source).toMatchObject({ rowCount: 300, columns: ["id", "text", "note"] });
    expect(source.notes).toMatchObject({ emptyCells: 0, raggedRows: 0 });
  });

  it("is 300 for JSON Lines with CRLF and a byte-order mark", async () => {
    const lines = rows.map(([id, text]) => JSON.stringify({ id, text }));
    expect((await index(`\ufeff${lines.join("\r\n")}\r\n`, "rows.jsonl")).rowCount).toBe(300);
    expect((await index(`\ufeff[${lines.join(",\r\n")}]\r\n`, "rows.json")).rowCount).toBe(300);
  });
});

describe("an encoding", () => {
  const text = "id,name\n1,日本語の文章です。これはテストです\n2,今日は天気がいいですね\n3,ありがとうございます\n";

  it.each([
    [
      "shift_jis",
      Buffer.from(
        "69642c6e616d650a312c93fa967b8cea82cc95b68fcd82c582b7814282b182ea82cd83658358836782c582b70a322c8da193fa82cd9356",
        "hex",
      ),
      "日本語の文章です。これはテストです",
    ],
    ["utf-16be", Buffer.from(text, "utf16le").swap16(), "日本語の文章です。これはテストです"],
    ["utf-16le", Buffer.from("id,name\n1,Zo\u00eb has no mark\n", "utf16le"), "Zoë has no mark"],
  ])("is guessed: %s", async (encoding, bytes, first) => {
    const source = await index(bytes);
    expect(source).toMatchObject({ encoding, columns: ["id", "name"] });
    expect((await cells(source))[0]).toEqual(["1", first]);
  });

  it("can be set, and the original stays for the next one", async () => {
    await index(Buffer.from("id,name\n1,\xc6\n", "latin1"));
    const csv = { delimiter: ",", header: 1, skip: 0 } as const;
    const read = async (encoding: SourceLayout["encoding"]) => {
      const source = await readIndex("table.csv", { csv, encoding, sheet: null });
      expect(source.encoding).toBe(encoding);
      return (await cells(source))[0]?.[1];
    };
    expect(await read("windows-1251")).toBe("Ж");
    expect(await read("windows-1252")).toBe("Æ");
  });
});

describe("a JSON document", () => {
  it.each([
    ["an array", '[{"a":1,"b":"x"},{"a":2,"b":"y"}]', "data.json"],
    [
      "an array over several lines",
      '[\n  {\n    "a": 1,\n    "b": "x"\n  },\r\n  {"a": 2, "b": "y"}\r\n]\n',
      "data.txt",
    ],
    ["the largest array of an object", '{"tags":[1],"data":[{"a":1,"b":"x"},{"a":2,"b":"y"}],"n":[]}', "data.json"],
  ])("gives its elements as rows: %s", async (_name, text, name) => {
    const source = await index(text, name);
    expect(source).toMatchObject({ kind: "json", holds: "rows", columns: ["a", "b"], rowCount: 2 });
    expect(await cells(source)).toEqual([
      ["1", "x"],
      ["2", "y"],
    ]);
  });

  it("keeps digits, brackets in texts and broken elements as they are", async () => {
    const source = await index('[{"n":12345678901234567890,"t":"[\\"a\\", {b}]"},"alone",{"n":},[1,2]]', "data.json");
    expect(source.columns).toEqual(["n", "t", "value"]);
    expect(await cells(source)).toEqual([
      ["12345678901234567890", '["a", {b}]', ""],
      ["", "", "alone"],
      ['{"n":}', "", ""],
      ["", "", "[1,2]"],
    ]);
  });

  it("has one row where it has no array", async () => {
    const source = await index('{\n "q": "Why?",\n "meta": {"lang": "en", "deep": {"x": 1}}\n}', "one.json");
    expect(source.columns).toEqual(["q", "meta.lang", "meta.deep.x"]);
    expect(await cells(source)).toEqual([["Why?", "en", "1"]]);
  });

  it("has an inner object as one column where its keys are data", async () => {
    const scores = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, at]));
    const source = await index(
      JSON.stringify([
        { id: 1, scores, "a.b": 2 },
        { id: 2, scores: null },
      ]),
      "data.json",
    );
    expect(source.columns).toEqual(["id", "scores", "a.b"]);
    expect((await cells(source))[0]).toEqual(["1", JSON.stringify(scores), "2"]);
  });
});

describe("the first look at a file of which only a part is there", () => {
  const wide = Array.from({ length: 20_000 }, (_, id) => ({ id, text: "x".repeat(40) }));

  it.each([
    ["rows.csv", ["id,text", ...wide.map(({ id, text }) => `${id},${text}`)].join("\n")],
    ["rows.jsonl", wide.map((row) => JSON.stringify(row)).join("\n")],
    ["rows.json", JSON.stringify(wide)],
    ["rows.json", JSON.stringify({ version: 1, data: wide })],
  ])("has whole rows only: %s", async (name, text) => {
    await writeFile(path, text.slice(0, 300_001));
    const head = await readSourceHead(path, name);
    expect(head?.columns).toEqual(["id", "text"]);
    expect(head?.rows).toHaveLength(100);
    await writeFile(path, text.slice(0, 503));
    const short = await readSourceHead(path, name);
    expect(short?.rows.length).toBeGreaterThan(3);
    expect(short?.rows.every(({ cells }) => cells.text?.length === 40)).toBe(true);
  });

  it("is nothing where its first part tells nothing", async () => {
    await writeFile(path, "PK\x03\x04rest");
    expect(await readSourceHead(path, "book.xlsx")).toBeNull();
  });
});

describe("what is no table of text", () => {
  it.each([
    ["a broken workbook", Buffer.from("PK\x03\x04rest"), "workbook"],
    ["a zip file", zipSync({ "table.csv": Buffer.from("a,b") }), "zip file"],
    ["a broken Parquet file", Buffer.from("PAR1rest"), "Parquet"],
    ["a PDF", Buffer.from("%PDF-1.7"), "PDF"],
    ["bytes", Buffer.from([1, 0, 2, 0]), "not text"],
    ["nothing", Buffer.from(""), "empty"],
    ["blank lines", Buffer.from("\n \n"), "empty"],
    ["an empty array", Buffer.from("[\n]"), "empty"],
  ])("is refused: %s", async (_name, content, word) => {
    await expect(index(content, "data.txt")).rejects.toThrow(word);
  });
});

describe("a file that means no good", () => {
  /** Compressed by Node: a zip of 100 MB takes ten times as long in JavaScript. */
  async function zipWith(sheet: Buffer, strings = Buffer.from("<sst/>"), sheets = 1): Promise<Buffer> {
    const names = Array.from({ length: sheets }, (_, at) => `<sheet name="${at}" r:id="r1"/>`).join("");
    const relations = '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="a.xml"/></Relationships>';
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(`<workbook xmlns:r="r"><sheets>${names}</sheets></workbook>`), "xl/workbook.xml");
    zip.addBuffer(Buffer.from(relations), "xl/_rels/workbook.xml.rels");
    zip.addBuffer(strings, "xl/sharedStrings.xml");
    zip.addBuffer(sheet, "xl/a.xml");
    zip.end();
    return await buffer(zip.outputStream);
  }
  it.each([
    ["whose texts unpack to 101 MB", () => zipWith(Buffer.from("<a/>"), Buffer.alloc(101_000_000, " ")), "far more"],
    ["with 1,001 sheets", () => zipWith(Buffer.from("<a/>"), undefined, 1_001), "more than 1,000 sheets"],
    ["that is no XML", () => zipWith(Buffer.from("<a><b></a>")), "its part xl/a.xml is broken XML"],
  ])("is refused: a workbook %s", async (_name, make, reason) => {
    await expect(index(await make(), "bad.xlsx")).rejects.toThrow(reason);
    expect(await readdir(folder), "nothing half made stays").not.toContain("content.sheet-1.part");
  });

  it("is refused: a Parquet file that gives far more than its size, or whose pages do", async () => {
    const data = Array.from({ length: 101 }, () => "x".repeat(1_000_000));
    const columnData = [{ name: "text", data, type: "STRING" as const }];
    await expect(index(new Uint8Array(parquetWriteBuffer({ columnData })), "rows.parquet")).rejects.toThrow("far more");
    const declares2To31Values =
      "UEFSMRUEFRAVEEwVBBUAAAAHAAAACAAAABUAFQ4VDiwV/v///w8VEBUGFQYAAAGAgICACAAAABUEGSxIBHJvb3QVAgAVAiUAGAFuABb+////DxkcGRwmMhwVAhkVEBkYAW4VABb+////DxZmFmYmMiYIAAAWZhb+////DwAoAXgZHBwAAABPAAAAUEFSMQ==";
    await expect(index(Buffer.from(declares2To31Values, "base64"), "rows.parquet")).rejects.toThrow(
      "more than 20,000,000",
    );
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(10_000_000)));
    const pages = parquetWriteBuffer({
      columnData: [{ name: "n", data: [1, 2], type: "INT32" }],
      codec: "GZIP",
      compressors: Object.fromEntries([["GZIP", () => bomb]]),
    });
    await expect(index(new Uint8Array(pages), "rows.parquet")).rejects.toThrow("This Parquet file can't be read");
  });

  it("is refused: a table with millions of columns, or more than spreadsheets have", async () => {
    await expect(index(`${"a,".repeat(4_300_000)}a\n1,2\n`)).rejects.toThrow("Line 1: This line is longer than 8 MiB.");
    await expect(index(`${"a,".repeat(20_000)}a\n1,2\n`)).rejects.toThrow("This table has 20,001 columns");
    const keys = Array.from({ length: 20_001 }, (_, at) => `{"k${at}":1}`);
    await expect(index(keys.join("\n"), "rows.jsonl")).rejects.toThrow("This table has 20,001 columns");
  });

  it("has each record, line and element over its limit as a row with a fault, and those around it whole", async () => {
    const long = "x".repeat(9_000_000);
    const csv = await index(`id,text\n1,a\n2,${long}\n3,"${long}"\n4,b\n`);
    expect(await faults(csv)).toEqual([
      [2, "This line is longer than 8 MiB."],
      [3, "This line is longer than 8 MiB."],
    ]);
    expect((await cells(csv))[3]).toEqual(["4", "b"]);
    const json = await index(`[{"id":1},{"id":2,"text":["${long}","${long}"]},{"id":3}]`, "rows.json");
    expect(json.rowCount).toBe(3);
    expect((await readSomeRows(join(folder, json.content), json, 1, 9)).map(({ fault }) => fault)).toEqual([
      null,
      "This line is longer than 8 MiB.",
      null,
    ]);
    const request = (id: string, text: string) => JSON.stringify({ custom_id: id, body: { text } });
    const lines = [request("a", "b"), request("b", long + long), request("c", "d")];
    expect(await faults(await index(lines.join("\n"), "batch.jsonl"))).toEqual([[2, "The line is longer than 16 MB."]]);
  });

  it("has values in one another too deep for a stack as a row with a fault", async () => {
    const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const objects = `${'{"a":'.repeat(200_000)}1.0${"}".repeat(200_000)}`;
    const source = await index([nested(900), nested(1_000_000), objects, '{"a":"[[["}'].join("\n"), "rows.jsonl");
    expect((await faults(source)).map(([row, fault]) => `${row} ${fault}`)).toEqual([
      "2 This line is not JSON: it has more than 1,000 values in one another.",
      "3 This line is not JSON: it has more than 1,000 values in one another.",
    ]);
    const document = await index(`[${nested(1_000_000)},{"a":1}]`, "rows.json");
    expect(document).toMatchObject({ rowCount: 2, columns: ["a"] });
  });
});

describe("a large table", () => {
  it.each([
    ["rows.csv", "id,text\n", (row: number) => `${row},${"x".repeat(200)}`],
    ["rows.jsonl", "", (row: number) => JSON.stringify({ id: row, text: "x".repeat(200) })],
    ["batch.jsonl", "", (row: number) => JSON.stringify({ custom_id: `${row}`, body: { text: "x".repeat(200) } })],
  ])("reports how far its reading is: %s", async (name, head, line) => {
    // More time passes between two readings of the clock than between two reports of progress.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 101;
      return now;
    });
    const count = 5_000;
    await writeFile(path, head + Array.from({ length: count }, (_, at) => line(at)).join("\n"));
    const { size } = await stat(path);
    const events = await Array.fromAsync(indexSource(path, name));
    vi.restoreAllMocks();
    const readings = events.slice(0, -1).filter((event) => event.phase === "reading");
    expect(readings.length).toBeGreaterThan(2);
    expect(readings.every(({ total }) => total === size)).toBe(true);
    for (const [before, after] of readings.slice(1).map((after, at) => [readings[at], after] as const)) {
      expect(after.bytes).toBeGreaterThan(before?.bytes ?? 0);
      expect(after.rows).toBeGreaterThan(before?.rows ?? 0);
    }
    expect(readings.at(-1)).toMatchObject({ bytes: size, rows: count });
    expect(events.at(-1)).toMatchObject({ phase: "indexed", index: { rowCount: count } });
  });

  it("gives any row by a seek and a short read, in every part of the file", async () => {
    const count = 40_000;
    const line = (row: number) => `${row},"line one of ${row}\nline two, with a comma",${row * 2}`;
    const lines = Array.from({ length: count }, (_, at) => line(at + 1));
    await writeFile(path, ["id,text,double", ...lines].join("\n"));
    const source = await readIndex("large.csv");
    expect(source.rowCount).toBe(count);
    const offsets = [...source.checkpoints.map(([, offset]) => offset), (await stat(path)).size];
    for (const [at, offset] of offsets.slice(1).entries()) {
      expect(offset - (offsets[at] ?? 0)).toBeLessThan(checkpointBytes + 100);
    }
    for (const row of [1, 2, 1_000, 20_000, count - 1, count]) {
      expect(await cells(source, row, 1)).toEqual([
        [String(row), `line one of ${row}\nline two, with a comma`, String(row * 2)],
      ]);
    }
  });
});
