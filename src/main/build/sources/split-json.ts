import { createReadStream } from "node:fs";

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const space = 0x20;
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const newline = Buffer.from("\n");

/** Called at each bracket, brace and comma outside of texts, with how many are open around it. */
type OnMark = (byte: number, depth: number, at: number) => void;

/** Scans JSON text piece by piece for its delimiters. Line ends become spaces in the piece itself. */
function createScanner(onMark: OnMark): (piece: Buffer) => void {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (byte === 0x0a || byte === 0x0d) piece[at] = space;
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === quote) isText = false;
        else if (byte === backslash) isEscaped = true;
      } else if (byte === quote) isText = true;
      else if (byte === openBracket || byte === openBrace) onMark(byte, depth++, at);
      else if (byte === closeBracket || byte === closeBrace) onMark(byte, --depth, at);
      else if (byte === comma) onMark(byte, depth, at);
    }
  };
}

/** Where the rows of a document begin: its array, or the largest array that is a value of its object. Null for neither. */
async function findArray(pieces: AsyncIterable<Buffer>): Promise<number | null> {
  let position = 0;
  let isArray = false;
  let opened: number | null = null;
  let largest: { start: number; bytes: number } | null = null;
  const scan = createScanner((byte, depth, at) => {
    if (depth === 0 && byte === openBracket) {
      isArray = true;
      largest ??= { start: position + at, bytes: 0 };
    }
    if (depth !== 1 || isArray) return;
    if (byte === openBracket) opened = position + at;
    if (byte === closeBracket && opened !== null) {
      const bytes = position + at - opened;
      if (largest === null || bytes > largest.bytes) largest = { start: opened, bytes };
      opened = null;
    }
  });
  for await (const piece of pieces) {
    scan(piece);
    if (isArray) break;
    position += piece.length;
  }
  // The rest of a text that is cut off may be its largest array.
  return (largest as { start: number } | null)?.start ?? opened;
}

/** Leaves out the first `count` bytes. */
async function* skip(pieces: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of pieces) {
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

/** An element as a line of its own; one that is no object becomes the `value` of one. Empty where there is nothing. */
function toLine(parts: readonly Buffer[]): Buffer {
  const element = Buffer.concat(parts).toString("utf8").trim();
  if (element === "") return Buffer.alloc(0);
  return Buffer.from(element.startsWith("{") ? element : `{"value":${element}}`);
}

/** A longer element is passed on in pieces: its line is longer than rows may be, and reported as such. */
const longestElement = 16 * 1024 * 1024;

/**
 * The elements of a JSON array as JSON Lines, byte for byte but for line ends between them: they are cut apart and not
 * parsed, so that numbers keep their digits, a broken element makes only its own line invalid, and no more than one element
 * is in memory. `open` reads the document from its start, as UTF-8; a document without an array is one line.
 */
export async function* splitJson(open: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const start = await findArray(open());
  let parts: Buffer[] = [];
  let partsBytes = 0;
  let isLong = false;
  let lines: Buffer[] = [];
  let from = 0;
  let piece: Buffer = Buffer.alloc(0);
  let isOver = false;
  const endElement = (at: number) => {
    const line = isLong ? piece.subarray(from, at) : toLine([...parts, piece.subarray(from, at)]);
    if (isLong || line.length > 0) lines.push(line, newline);
    parts = [];
    partsBytes = 0;
    isLong = false;
    from = at + 1;
  };
  const scan = createScanner((byte, depth, at) => {
    if (start === null || isOver) return;
    if (depth === 0 && byte === openBracket) from = at + 1;
    else if (depth === 1 && byte === comma) endElement(at);
    else if (depth === 0 && byte === closeBracket) {
      endElement(at);
      isOver = true;
    }
  });
  for await (piece of start === null ? open() : skip(open(), start)) {
    from = 0;
    scan(piece);
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
  const rest = isLong ? Buffer.alloc(0) : toLine(parts);
  if (isLong || rest.length > 0) yield Buffer.concat([rest, newline]);
}

/** A file of UTF-8 as pieces that may be changed. */
export async function* readPieces(path: string): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (Buffer.isBuffer(piece)) yield piece;
  }
}
