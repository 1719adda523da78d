import { isUtf8 } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { CsvError, type Options, parse } from "csv-parse/sync";
import { findLineEnd, readWindow } from "./lines.ts";

/** One record of a table of text, or the line that could not be read as one. */
interface ParsedRecord {
  readonly cells: readonly string[];
  /** The byte after it and its line end. */
  readonly end: number;
  readonly fault: string | null;
}

export interface CsvRecord extends ParsedRecord {
  /** The blank lines between it and the record before. */
  readonly blankLines: number;
}

export interface CsvReadOptions {
  readonly delimiter: string;
  /** The byte of the first record: the start of the file, or the end of a record. */
  readonly start: number;
  /** How much is read at a time, in bytes. */
  readonly windowBytes?: number;
  /** The longest record, in bytes. A longer one counts as a quote that is never closed. */
  readonly maxRecordBytes?: number;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const replacementCharacter = "\ufffd";

export const tooLong = "This line is longer than 8 MiB.";
const openQuote = "A quote in this line is not closed, or a quote inside the text is not doubled.";
const notUtf8 = "This row has bytes that are not UTF-8 text.";

function parserOptions(delimiter: string): Options {
  return {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 0,
  };
}

/** The record that starts with `bytes`, quotes inside unquoted text allowed (`5" pipe`); undefined if there is none. */
function readLeniently(bytes: Buffer, delimiter: string, last: boolean): ParsedRecord | undefined {
  let found: ParsedRecord | undefined;
  try {
    parse(bytes, {
      ...parserOptions(delimiter),
      relax_quotes: true,
      to: 1,
      on_record(cells: string[], { bytes: end }) {
        if (end < bytes.length || last) found = { cells, end, fault: null };
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return found;
}

/** The first line that is not empty, as a record that can't be used; undefined if it does not end in `bytes`. */
function takeBrokenLine(bytes: Buffer, last: boolean): ParsedRecord | undefined {
  let start = 0;
  while (bytes[start] === newline || bytes[start] === carriageReturn) start++;
  const found = bytes.indexOf(newline, start);
  if (found === -1 && !last) return undefined;
  const end = found === -1 ? bytes.length : found + 1;
  return { cells: [bytes.toString("utf8", start, end).trimEnd()], end, fault: openQuote };
}

/** The valid records at the start of `bytes`, and what stopped the reading before its end. */
function parseRecords(
  bytes: Buffer,
  delimiter: string,
  last: boolean,
): { records: ParsedRecord[]; failure?: CsvError } {
  const records: ParsedRecord[] = [];
  try {
    parse(bytes, {
      ...parserOptions(delimiter),
      on_record(cells: string[], { bytes: end }) {
        // A record that ends with the window may continue after it.
        if (end < bytes.length || last) records.push({ cells, end, fault: null });
        return null;
      },
    });
    return { records };
  } catch (failure) {
    if (!(failure instanceof CsvError)) throw failure;
    return { records, failure };
  }
}

/**
 * The complete records in `window`; with `last` the file ends there. A quote that is not closed makes its own line invalid
 * only: reading continues with the next line.
 */
function parseWindow(window: Buffer, delimiter: string, last: boolean): ParsedRecord[] {
  const all: ParsedRecord[] = [];
  let offset = 0;
  while (offset < window.length) {
    const { records, failure } = parseRecords(window.subarray(offset), delimiter, last);
    for (const record of records) all.push({ ...record, end: offset + record.end });
    if (failure === undefined || (failure.code === "CSV_QUOTE_NOT_CLOSED" && !last)) break;
    offset = all.at(-1)?.end ?? 0;
    const rest = window.subarray(offset);
    const next =
      (failure.code === "INVALID_OPENING_QUOTE" ? readLeniently(rest, delimiter, last) : undefined) ??
      takeBrokenLine(rest, last);
    if (next === undefined) break;
    offset += next.end;
    all.push({ ...next, end: offset });
  }
  return all;
}

function isBlank(window: Buffer): boolean {
  return window.every((byte) => byte === newline || byte === carriageReturn);
}

/** A line that is longer than the window: its beginning, which identifies it, and the start of the next one. */
async function skipLine(file: FileHandle, position: number, window: Buffer): Promise<ParsedRecord> {
  const end = (await findLineEnd(file, position + window.length)) - position;
  return { cells: [`${window.toString("utf8", 0, 1_000)}…`], end, fault: tooLong };
}

/** How many blank lines the bytes begin with. */
function countBlankLines(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; bytes[at] === newline || bytes[at] === carriageReturn; count += 1) {
    at += bytes[at] === carriageReturn && bytes[at + 1] === newline ? 2 : 1;
  }
  return count;
}

/**
 * Completes the records of a window that begins at `position`. Those that are not UTF-8 are found by the replacement
 * characters of the decoder, then by their bytes.
 */
function completeRecords(records: readonly ParsedRecord[], window: Buffer, position: number): CsvRecord[] {
  let start = 0;
  return records.map((record) => {
    const bytes = window.subarray(start, record.end);
    start = record.end;
    const broken =
      record.fault === null && record.cells.some((cell) => cell.includes(replacementCharacter)) && !isUtf8(bytes);
    const fault = broken ? notUtf8 : record.fault;
    return { cells: record.cells, end: position + record.end, fault, blankLines: countBlankLines(bytes) };
  });
}

/**
 * Reads a table of UTF-8 text from a byte on, some hundred records at a time, whatever its size. Empty lines are
 * skipped. A line that can't be read is a record with a problem.
 */
export async function* readCsvRecords(path: string, options: CsvReadOptions): AsyncGenerator<readonly CsvRecord[]> {
  const { delimiter, start, windowBytes = 256 * 1024, maxRecordBytes = 8 * 1024 * 1024 } = options;
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    let position = start;
    let length = windowBytes;
    while (position < size) {
      const window = await readWindow(file, position, length);
      const last = position + window.length >= size;
      let records = parseWindow(window, delimiter, last);
      if (records.length === 0 && last) return;
      if (records.length === 0 && length < maxRecordBytes) {
        length = Math.min(length * 4, maxRecordBytes);
        continue;
      }
      if (records.length === 0) {
        const line = takeBrokenLine(window, last) ?? (isBlank(window) ? null : await skipLine(file, position, window));
        records = line === null ? [] : [line];
      }
      yield completeRecords(records, window, position);
      position += records.at(-1)?.end ?? window.length;
      length = windowBytes;
    }
  } finally {
    await file.close();
  }
}
