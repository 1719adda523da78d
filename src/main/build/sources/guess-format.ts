import { isAscii, isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";
import { type Options, parse } from "csv-parse/sync";
import type { CsvLayout, Source } from "#contract";
import { BuildError } from "../errors.ts";
import { tryParseJsonObject } from "./json-lines.ts";

type Encoding = Source["encoding"];

const byteOrderMarks = { utf8: [0xef, 0xbb, 0xbf], utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff] } as const;

/** First bytes of files that are often dropped by mistake, and what to do about each. */
const notText: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "This is a workbook or a zip file, not text. Save the sheet as CSV and add that file."],
  [[0xd0, 0xcf, 0x11, 0xe0], "This is an old Excel workbook, not text. Save the sheet as CSV and add that file."],
  [[0x25, 0x50, 0x44, 0x46], "This is a PDF, not a table. Add a CSV or a JSONL file."],
  [[0x1f, 0x8b], "This file is compressed. Unpack it and add the file inside."],
  [byteOrderMarks.utf16be, "This text is UTF-16 big-endian, which can't be read. Save it as UTF-8 and add it again."],
];

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

/** How many bytes of byte-order mark a UTF-8 text starts with. */
export function markLength(head: Uint8Array): number {
  return startsWith(head, byteOrderMarks.utf8) ? byteOrderMarks.utf8.length : 0;
}

/** `bytes` without a character that the end of a window has cut in two. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) break;
  }
  return bytes;
}

/**
 * Guesses the encoding of a text: its byte-order mark decides; without one, the first part with bytes beyond ASCII is
 * UTF-8 or it is not, and then it is windows-1252, which spreadsheets still write. What is no text is refused.
 */
export async function detectEncoding(path: string): Promise<Encoding> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(64 * 1024);
    let { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const head = buffer.subarray(0, bytesRead);
    const refusal = notText.find(([prefix]) => startsWith(head, prefix));
    if (refusal !== undefined) throw new BuildError("refused", refusal[1]);
    if (startsWith(head, byteOrderMarks.utf16le)) return "utf-16le";
    if (head.includes(0)) throw new BuildError("refused", "This file is not text. Add a CSV or a JSONL file.");
    for (let position = 0; bytesRead > 0; ) {
      const window = buffer.subarray(0, bytesRead);
      const bytes = bytesRead === buffer.length ? wholeCharacters(window) : window;
      if (!isAscii(bytes)) return isUtf8(bytes) ? "utf-8" : "windows-1252";
      position += bytes.length;
      ({ bytesRead } = await file.read(buffer, 0, buffer.length, position));
    }
    return "utf-8";
  } finally {
    await file.close();
  }
}

/** So many lines of a file decide whether it is JSONL, and so many records how a table is laid out. */
const sampleLines = 20;
const sampleRecords = 50;

/** An object that is a line of a batch input file: its id and another of its parts, or a body that is an object. */
function isRequest(object: Readonly<Record<string, unknown>>): boolean {
  const parts = ["custom_id", "method", "url", "body"].filter((key) => Object.hasOwn(object, key));
  const { body } = object;
  return parts.length >= 2 && (parts.includes("custom_id") || (typeof body === "object" && body !== null));
}

function isJsonDocument(sample: string): boolean {
  const start = sample.trimStart();
  return start.startsWith("[") || /^\{\s*[\r\n]/.test(start);
}

/**
 * Guesses what a text holds from its first part. JSON objects on lines of their own are JSONL, whatever its name; the
 * name decides where the content does not. A file that is one JSON document is refused, since it is neither.
 */
export function guessKind(sample: string, name: string): Pick<Source, "kind" | "holds"> {
  const namedJson = /\.(jsonl|ndjson|json)$/i.test(name);
  if (namedJson && isJsonDocument(sample)) {
    throw new BuildError(
      "refused",
      "This file is one JSON document. Write one object on each line (JSONL) and add that file.",
    );
  }
  const lines = sample.split(/\r?\n/).filter((line) => line.trim() !== "");
  const objects = lines
    .slice(0, sampleLines)
    .map(tryParseJsonObject)
    .filter((object) => object !== null);
  if (objects.length === 0) return { kind: namedJson ? "jsonl" : "csv", holds: "rows" };
  const requests = objects.filter(isRequest).length;
  return { kind: "jsonl", holds: requests * 2 >= objects.length ? "requests" : "rows" };
}

const delimiters = [",", ";", "\t", "|"] as const;

/** The first records of a sample as this delimiter cuts it. */
function cut(sample: string, delimiter: string): string[][] {
  const records: string[][] = [];
  const options: Options = { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  try {
    parse(sample, {
      ...options,
      max_record_size: 0,
      to: sampleRecords,
      on_record(record: string[]) {
        records.push(record);
        return null;
      },
    });
  } catch {
    // A quote that is still open where the sample ends: the records before it are enough.
  }
  return records;
}

/** How well a delimiter fits: the share of records with the most frequent number of cells, then that number. */
function score(records: readonly (readonly string[])[]): { fit: number; cells: number } {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [cells, count] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0];
  return { fit: cells > 1 ? count / records.length : 0, cells };
}

function isNumber(text: string): boolean {
  return text !== "" && Number.isFinite(Number(text.replace(",", ".")));
}

/** Names of columns are short, all there, all different, and neither numbers nor sentences. */
function areNames(cells: readonly string[]): boolean {
  return (
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell !== "" && cell.length <= 64 && !isNumber(cell) && !/[.?!\n]$|\n/.test(cell))
  );
}

/** With no row to compare them with, names have to look the part: they start with a letter and have few words. */
function areNamesForSure(cells: readonly string[]): boolean {
  const mostWords = cells.length === 1 ? 1 : 3;
  return areNames(cells) && cells.every((cell) => /^[\p{L}_]/u.test(cell) && cell.split(/\s+/).length <= mostWords);
}

/** Whether the first record names the columns of those after it; of a table without rows where it is the only one. */
function looksLikeHeader([first, ...others]: readonly (readonly string[])[]): boolean {
  if (first === undefined) return false;
  const cells = first.map((cell) => cell.trim());
  return others.length === 0 ? areNamesForSure(cells) : areNames(cells);
}

/** Guesses delimiter and header row from the first part of a table, `name` deciding where both delimiters fit. */
export function guessCsvLayout(sample: string, name: string): CsvLayout {
  const preferred = /\.(tsv|tab)$/i.test(name) ? "\t" : ",";
  let best: { delimiter: CsvLayout["delimiter"]; fit: number; cells: number } = {
    delimiter: preferred,
    fit: 0.5,
    cells: 1,
  };
  for (const delimiter of [preferred, ...delimiters] as const) {
    const { fit, cells } = score(cut(sample, delimiter));
    if (fit > best.fit + 0.1 || (fit >= best.fit && cells > best.cells)) best = { delimiter, fit, cells };
  }
  return { delimiter: best.delimiter, header: looksLikeHeader(cut(sample, best.delimiter)) };
}
