import { readFile } from "node:fs/promises";
import * as xlsx from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import iconv from "iconv-lite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestEngine, replyTo } from "../service/testing/index.ts";
import { type AppFixture, connectPort, openApp, type RpcClient, upload } from "./testing/app-fixture.ts";

let fixture: AppFixture;
let client: RpcClient;

beforeAll(async () => {
  fixture = await openApp({ engine: createTestEngine(replyTo) });
  ({ client } = connectPort(fixture.app));
}, 30_000);
afterAll(() => fixture.close());

const texts = [
  "She said “no”, twice; then left.",
  'A "quoted" word, and a comma',
  "two\nlines",
  "tab\there",
  "=SUM(A1:A2)",
  "+49 30 1234",
  "@home",
  "Größe & <b>bold</b> 'Straße'",
  "{{ id }} {% if %}",
  " spaces around ",
  "1e5",
  "NaN",
  "null",
];
const columns = ["id", "text", "zip", "n", "ok"] as const;
type Cells = readonly [id: string, text: string, zip: string, n: number, ok: boolean];

const rows: readonly Cells[] = Array.from({ length: 40 }, (_, at) => [
  `k-${at}`,
  `${texts[at % texts.length]}${at < texts.length ? "" : ` ${at}`}`,
  `0${1_000 + at}`,
  [at, at / 8, -at / 10, at * 1e9][at % 4] ?? 0,
  at % 3 === 0,
]);
const objects = rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at]])));

function writeText(delimiter: string, quoteAll = false): string {
  const toField = (value: unknown) => {
    const text = String(value);
    const needsQuotes = quoteAll || /["\r\n;,\t|]/.test(text);
    return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((cells) => cells.map(toField).join(delimiter)).join("\r\n");
}

function writeBook(bookType: xlsx.BookType): Buffer {
  const book = xlsx.utils.book_new(xlsx.utils.aoa_to_sheet([columns, ...rows].map((cells) => [...cells])), "Rows");
  return xlsx.write(book, { bookType, type: "buffer" });
}

function writeColumns(): Buffer {
  const types = ["STRING", "STRING", "STRING", "DOUBLE", "BOOLEAN"] as const;
  const columnData = columns.map((name, at) => ({ name, data: rows.map((cells) => cells[at]), type: types[at] }));
  return Buffer.from(parquetWriteBuffer({ columnData: columnData as never }));
}

const kinds: [name: string, bytes: Buffer][] = [
  ["commas.csv", Buffer.from(writeText(","))],
  ["semicolons.csv", iconv.encode(writeText(";"), "windows-1252")],
  ["quoted.csv", Buffer.from(`\ufeff${writeText(",", true)}`)],
  ["tabs.txt", Buffer.from(`\ufeff${writeText("\t")}`, "utf16le")],
  ["pipes.csv", Buffer.from(writeText("|"))],
  ["rows.json", Buffer.from(JSON.stringify(objects, null, 2))],
  ["rows.jsonl", Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join(""))],
  ["arrays.json", Buffer.from(JSON.stringify({ columns, data: rows }))],
  ["book.xlsx", writeBook("xlsx")],
  ["book.xlsb", writeBook("xlsb")],
  ["book.xls", writeBook("biff8")],
  ["book.ods", writeBook("ods")],
  ["rows.parquet", writeColumns()],
];

async function run(name: string, bytes: Buffer): Promise<string> {
  const source = await upload(client, new Uint8Array(bytes), name);
  expect(source.rowCount).toBe(rows.length);
  const template = {
    messages: [{ role: "user" as const, content: "{{ text }}" }],
    model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
    temperature: 0,
    maxCompletionTokens: 200,
    customId: "{{ id }}",
  };
  for await (const event of await client.build.submit({ sourceId: source.id, template, name })) {
    if (event.phase !== "submitted") continue;
    await fixture.service.batches.settled(event.batchId);
    return event.batchId;
  }
  throw new Error("The batch was not submitted.");
}

async function writeExport(batchId: string, format: "csv" | "xlsx" | "parquet"): Promise<Buffer> {
  const csv = { escapeFormulas: false };
  for await (const event of await client.exports.follow({ what: "results", batchId, format, csv })) {
    if (event.how !== "link") continue;
    return await readFile(fixture.app.takeExport(event.href.split("/").at(-1) ?? "")?.path ?? "");
  }
  throw new Error("Nothing was exported.");
}

/** The rows of an export as an independent reader finds them. */
const readers = {
  csv: async (bytes: Buffer): Promise<Record<string, unknown>[]> => parse(bytes, { columns: true }),
  xlsx: async (bytes: Buffer) => {
    const { Sheets } = xlsx.read(bytes, { type: "buffer" });
    return xlsx.utils.sheet_to_json<Record<string, unknown>>(Sheets.Results ?? {}, { raw: true });
  },
  parquet: async (bytes: Buffer) => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    return await parquetReadObjects({ file, compressors });
  },
} as const;

it.each(kinds)(
  "forty rows of %s come back from a batch in CSV, XLSX and Parquet, cell by cell",
  async (name, bytes) => {
    const batchId = await run(name, bytes);
    for (const format of ["csv", "xlsx", "parquet"] as const) {
      const found = await readers[format](await writeExport(batchId, format));
      expect(
        found.map((row) => columns.map((column) => String(row[column]))),
        format,
      ).toEqual(rows.map((cells) => cells.map(String)));
    }
  },
);
