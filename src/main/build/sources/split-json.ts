import { createReadStream } from "node:fs";
import { createJsonScanner } from "./json-scanner.ts";

const newline = Buffer.from("\n");

/** A longer element is passed on in pieces: its line is longer than rows may be, and reported as such. */
const longestElement = 16 * 1024 * 1024;

interface Splitting {
  /** Whether the outermost values are cut apart, or the elements of those that are arrays. */
  readonly level: "values" | "elements";
  /** Whether what follows the first of the outermost values is left alone. */
  readonly isFirstOnly: boolean;
  /** The line of an element; empty for none. */
  readonly toLine: (element: string) => string;
}

/** What may stand between values that are not elements of an array: byte-order marks, commas, record separators. */
const separators = /^[\s,\ufeff\p{Cc}]+|[\s\p{Cc}]+$/gu;

/**
 * The elements of arrays, or the values of a document, as lines. They are cut apart and not parsed, so that numbers keep
 * their digits, a broken element makes only its own line invalid, and no more than one element is in memory. `pieces` are
 * UTF-8, and are changed.
 */
export async function* splitJson(
  pieces: AsyncIterable<Buffer>,
  { level, isFirstOnly, toLine }: Splitting,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let partsBytes = 0;
  let isLong = false;
  let lines: Buffer[] = [];
  let from = 0;
  let piece: Buffer = Buffer.alloc(0);
  let isOver = false;

  const toLineOf = (last: Buffer) => {
    const element = Buffer.concat([...parts, last])
      .toString("utf8")
      .replaceAll(separators, "");
    return Buffer.from(element === "" ? "" : toLine(element));
  };
  const endElement = (end: number, next: number) => {
    const line = isLong ? piece.subarray(from, end) : toLineOf(piece.subarray(from, end));
    if (isLong || line.length > 0) lines.push(line, newline);
    parts = [];
    partsBytes = 0;
    isLong = false;
    from = next;
  };
  const scanner = createJsonScanner((mark, depth, at) => {
    if (isOver) return;
    const isEnd = depth === 0 && (mark === "closeArray" || mark === "closeObject");
    if (level === "values" ? isEnd : depth === 1 && mark === "comma") {
      endElement(level === "values" ? at + 1 : at, at + 1);
    } else if (level === "elements" && isEnd) endElement(at, at + 1);
    else if (level === "elements" && depth === 0 && mark === "openArray") {
      parts = [];
      partsBytes = 0;
      from = at + 1;
    }
    isOver = isEnd && isFirstOnly;
  });
  for await (piece of pieces) {
    from = 0;
    scanner.scan(piece);
    if (lines.length > 0) yield Buffer.concat(lines);
    lines = [];
    if (isOver) return;
    parts.push(piece.subarray(from));
    partsBytes += piece.length - from;
    if (!isLong && partsBytes <= longestElement) continue;
    isLong = true;
    yield* parts;
    parts = [];
  }
  const rest = isLong ? Buffer.alloc(0) : toLineOf(Buffer.alloc(0));
  if (isLong || rest.length > 0) yield Buffer.concat([rest, newline]);
}

/** Leaves out the first `count` bytes. */
export async function* skipBytes(pieces: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of pieces) {
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

/** A file of UTF-8 as pieces that may be changed. */
export async function* readPieces(path: string): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (Buffer.isBuffer(piece)) yield piece;
  }
}
