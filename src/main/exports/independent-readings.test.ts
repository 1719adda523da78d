import { createHash } from "node:crypto";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import readSheets from "read-excel-file/node";
import { expect, test } from "vitest";
import { writeNastyExports } from "./testing/nasty-exports.ts";
import { digest, readReadings } from "./testing/readings.ts";

/** Long texts as the readings have them. */
function short(cell: unknown): unknown {
  if (typeof cell !== "string") return cell;
  const text = cell.toWellFormed();
  if (Array.from(text).length <= 1_000) return text;
  return { characters: text.length, sha256: createHash("sha256").update(text).digest("hex") };
}

const delimiters: Readonly<Record<string, string>> = {
  "plain.csv": ",",
  "raw.csv": "\t",
  "excel-us.csv": ",",
  "excel-de.csv": ";",
  "excel-ch.csv": ";",
};

function readCsv(name: string, bytes: Buffer): unknown[][] {
  return parse(bytes, { delimiter: delimiters[name] ?? ",", bom: name.startsWith("excel") });
}

function readFlat(bytes: Buffer): unknown[][] {
  const asText = (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? { number: context?.source } : value;
  const lines = bytes.toString().split("\n").filter(Boolean);
  const objects = lines.map((line) => JSON.parse(line, asText) as Record<string, unknown>);
  return [Object.keys(objects[0] ?? {}), ...objects.map((one) => Object.values(one))];
}

async function readBook(bytes: Buffer): Promise<unknown[][]> {
  const [results] = await readSheets(bytes, { trim: false });
  // openpyxl has no minus before a zero.
  const toTyped = (cell: unknown) => (typeof cell === "number" ? { double: cell === 0 ? 0 : cell } : cell);
  return (results?.data ?? []).map((row) => row.map(toTyped));
}

async function readParquet(bytes: Buffer): Promise<unknown[][]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const parsers = { stringFromBytes: (text: Uint8Array | undefined) => text && Buffer.from(text).toString() };
  const objects = await parquetReadObjects({ file, compressors, parsers });
  const toTyped = (cell: unknown) => {
    if (typeof cell === "bigint") return { integer: String(cell) };
    if (typeof cell === "boolean") return { boolean: cell };
    return typeof cell === "number" ? { double: cell } : (cell ?? null);
  };
  return [Object.keys(objects[0] ?? {}), ...objects.map((one) => Object.values(one).map(toTyped))];
}

test("exports have the cells that independent readers have read of them", async () => {
  const readings = await readReadings();
  const written = await writeNastyExports();
  expect([...written.keys()].sort()).toEqual([...readings.keys()].sort());
  for (const [name, bytes] of written) {
    const read = name.endsWith(".csv")
      ? readCsv(name, bytes)
      : name.endsWith(".xlsx")
        ? await readBook(bytes)
        : name.endsWith(".parquet")
          ? await readParquet(bytes)
          : readFlat(bytes);
    const [columns = [], ...rows] = read;
    // `npm run soak` names the cells of a column that differs.
    expect([name, digest({ columns, rows: rows.map((row) => row.map(short)) })]).toEqual([name, readings.get(name)]);
  }
});
