import { isUtf8 } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import type { Encoding } from "#contract";
import { type CsvDialect, type CsvScanner, createCsvScanner } from "./csv-scanner.ts";
import { wholeCharacters } from "./detect-encoding.ts";
import { findLineEnd, readWindow } from "./lines.ts";

/** One record of a table of text, or the line that could not be read as one. Valid until the next one is visited. */
export interface VisitedRecord {
  /** The byte after it and its line end. */
  readonly end: number;
  /** Why it can't be used; null for a valid one. */
  readonly fault: string | null;
  /** The blank lines between it and the record before, and the comments. */
  readonly blankLines: number;
  readonly comments: number;
  /** The number of its cells. */
  readonly width: number;
  isEmpty(cell: number): boolean;
  cells(): string[];
}

export interface CsvRecord extends Omit<VisitedRecord, "isEmpty" | "cells" | "width"> {
  readonly cells: readonly string[];
}

export interface CsvReadOptions {
  readonly dialect: CsvDialect;
  /** The byte of the first record: the start of the file, or the end of a record. */
  readonly start: number;
  /** What the text was converted from; default: nothing. A record with bytes that were no text there can't be used. */
  readonly encoding?: Encoding | null | undefined;
  /** How much is read at a time, in bytes. */
  readonly windowBytes?: number;
  /** The longest record, in bytes. A longer one counts as a quote that is never closed. */
  readonly maxRecordBytes?: number;
}

export const tooLong = "This line is longer than 8 MiB.";
const openQuote = "A quote in this line is not closed, or a quote inside the text is not doubled.";
const notUtf8 = "This row has bytes that are not UTF-8 text.";
const replaced = Buffer.from("\ufffd");

/** What a scanner found last in a window that begins at `position` of the file. */
function createRecordView(scanner: CsvScanner) {
  let window: Buffer = Buffer.alloc(0);
  let position = 0;
  let fault: string | null = null;
  return {
    set(of: Buffer, at: number, found: string | null): void {
      window = of;
      position = at;
      fault = found;
    },
    record: {
      get end() {
        return position + scanner.end;
      },
      get fault() {
        return fault;
      },
      get blankLines() {
        return scanner.blankLines;
      },
      get comments() {
        return scanner.comments;
      },
      get width() {
        return scanner.width;
      },
      isEmpty: (cell: number) => scanner.isEmpty(cell),
      cells: () => Array.from({ length: scanner.width }, (_, cell) => scanner.text(window, cell)),
    },
  };
}

/** A record whose cells are read already. */
export function toVisited({ cells, ...record }: CsvRecord): VisitedRecord {
  return {
    ...record,
    width: cells.length,
    isEmpty: (cell) => cells[cell] === "",
    cells: () => [...cells],
  };
}

/**
 * Visits the records of a table of UTF-8 text from a byte on, whatever its size; pauses after each window of the file. A
 * quote that is not closed makes its own line invalid only: reading continues with the next line.
 */
export async function* visitCsvRecords(
  path: string,
  { dialect, start, encoding = null, windowBytes = 256 * 1024, maxRecordBytes = 8 * 1024 * 1024 }: CsvReadOptions,
  visit: (record: VisitedRecord) => void,
): AsyncGenerator<void> {
  // What stands for a character that is none may be text in an encoding of Unicode.
  const mayLose = encoding !== null && !encoding.startsWith("utf-");
  const describeText = (record: Buffer) => {
    if (mayLose && record.includes(replaced)) return `This row has bytes that are no text in ${encoding}.`;
    return isUtf8(record) ? null : notUtf8;
  };
  const scanner = createCsvScanner(dialect);
  const view = createRecordView(scanner);
  const file = await open(path, "r");
  try {
    const size = await findTextEnd(file);
    let position = start;
    let length = windowBytes;
    const used = Buffer.allocUnsafe(windowBytes);
    while (position < size) {
      const read = await readWindow(file, position, length, used);
      const window = read.subarray(0, size - position);
      const isLast = position + window.length >= size;
      const isText = isUtf8(isLast ? window : wholeCharacters(window)) && !(mayLose && window.includes(replaced));
      let end = 0;
      while (end < window.length) {
        const found = scanner.next(window, end, isLast);
        if (found !== "record" && found !== "broken") break;
        const textFault = isText ? null : describeText(window.subarray(scanner.start, scanner.end));
        view.set(window, position, found === "broken" ? openQuote : textFault);
        end = scanner.end;
        visit(view.record);
      }
      if (end === 0) {
        if (isLast) return;
        if (length < maxRecordBytes) {
          length = Math.min(length * 4, maxRecordBytes);
          continue;
        }
        // No record ends in the longest window: its first line is the one that can't be read.
        const { start: from, blankLines, comments } = scanner;
        const lineEnd = window.indexOf(0x0a, from);
        end = lineEnd === -1 ? (await findLineEnd(file, position + window.length)) - position : lineEnd + 1;
        const text = window.toString("utf8", from, Math.min(lineEnd === -1 ? window.length : lineEnd, from + 1_000));
        const fault = lineEnd === -1 ? tooLong : openQuote;
        const cells = [lineEnd === -1 || lineEnd - from > 1_000 ? `${text}…` : text.trimEnd()];
        if (from < window.length) visit(toVisited({ cells, end: position + end, fault, blankLines, comments }));
      }
      yield;
      position += end;
      length = windowBytes;
    }
  } finally {
    await file.close();
  }
}

/** Where the text ends: programs of MS-DOS mark the end of a file with a last byte. */
async function findTextEnd(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, Math.max(0, size - 1));
  return last[0] === 0x1a ? size - 1 : size;
}

/** Reads the records of a table of UTF-8 text from a byte on, as many at a time as a window of the file has. */
export async function* readCsvRecords(path: string, options: CsvReadOptions): AsyncGenerator<readonly CsvRecord[]> {
  let records: CsvRecord[] = [];
  const windows = visitCsvRecords(path, options, (record) => {
    const { end, fault, blankLines, comments } = record;
    records.push({ end, fault, blankLines, comments, cells: record.cells() });
  });
  for await (const _ of windows) {
    if (records.length > 0) yield records;
    records = [];
  }
  if (records.length > 0) yield records;
}
