import type { CsvLayout } from "#contract";

/** The characters that a table of text is written with. */
export type CsvDialect = Pick<CsvLayout, "delimiter" | "quote" | "escape" | "comment" | "trim">;

/** Comma-separated records as RFC 4180 describes them. */
export const plainDialect: CsvDialect = { delimiter: ",", quote: '"', escape: null, comment: null, trim: false };

/** How the text of a cell is got from its bytes. */
const plain = 0;
const plainWithEscapes = 1;
const quoted = 2;
const quotedWithEscapes = 3;

/** What `next` found. */
export type Scanned = "record" | "broken" | "incomplete" | "nothing";

/** Cuts records out of a window of UTF-8 text. What it found last is in its properties. */
export interface CsvScanner {
  /**
   * Finds the next record from byte `at` on; with `isLast` the text ends with the window. A record that can't be read is
   * its first line: a quote is not closed, or something follows the closing one. Nothing is left where only blank lines
   * and comments are.
   */
  next(window: Buffer, at: number, isLast: boolean): Scanned;
  /** Where the record starts and the byte after its line end. Of an incomplete one only the start. */
  readonly start: number;
  readonly end: number;
  /** The lines before it that are blank, and those that are comments. */
  readonly blankLines: number;
  readonly comments: number;
  /** The number of its cells. */
  readonly width: number;
  isEmpty(cell: number): boolean;
  isQuoted(cell: number): boolean;
  /** The text of a cell of `window`. */
  text(window: Buffer, cell: number): string;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;
const mark = [0xef, 0xbb, 0xbf] as const;

/** What may end a plain cell, or escapes what follows. */
const delimits = 1;
const endsLine = 2;
const escapes = 3;

export function createCsvScanner({ delimiter, quote, escape: escapeSign, comment, trim }: CsvDialect): CsvScanner {
  const delimiterBytes = Buffer.from(delimiter);
  const quoteBytes = Buffer.from(quote ?? "");
  const escapeBytes = Buffer.from(escapeSign === quote ? "" : (escapeSign ?? ""));
  const commentBytes = Buffer.from(comment ?? "");
  const [delimiterByte = -1] = delimiterBytes;
  const [quoteByte = -1] = quoteBytes;
  const [escapeByte = -1] = escapeBytes;
  const quoteLength = quoteBytes.length;
  const isSimple = delimiterBytes.length === 1;
  const kinds = new Uint8Array(256);
  kinds[newline] = endsLine;
  kinds[carriageReturn] = endsLine;
  if (escapeByte >= 0) kinds[escapeByte] = escapes;
  kinds[delimiterByte] = delimits;
  const isSpace = (byte: number | undefined) => (byte === space || byte === tab) && byte !== delimiterByte;

  /** Three numbers for each cell: its start, its end, and how its text is got. */
  const cells: number[] = [];
  let count = 0;
  let start = 0;
  let end = 0;
  let blankLines = 0;
  let comments = 0;

  const matches = (window: Buffer, at: number, bytes: Buffer) => {
    if (bytes.length === 0 || window[at] !== bytes[0]) return false;
    for (let next = 1; next < bytes.length; next++) if (window[at + next] !== bytes[next]) return false;
    return true;
  };

  function add(from: number, to: number, kind: number): void {
    const at = 3 * count++;
    cells[at] = from;
    cells[at + 1] = to;
    cells[at + 2] = kind;
  }

  /** The byte after the line end at `at`; -1 where a line feed may follow the window. */
  function afterLineEnd(window: Buffer, at: number, isLast: boolean): number {
    if (window[at] === newline) return at + 1;
    if (at + 1 < window.length) return window[at + 1] === newline ? at + 2 : at + 1;
    return isLast ? at + 1 : -1;
  }

  function findLineEnd(window: Buffer, from: number): number {
    for (let at = from; at < window.length; at++) {
      if (window[at] === newline || window[at] === carriageReturn) return at;
    }
    return window.length;
  }

  /** Passes blank lines, comments and byte-order marks of files that were joined; -1 where the window may end too early. */
  function passLines(window: Buffer, from: number, isLast: boolean): number {
    let at = from;
    while (at < window.length) {
      if (window[at] === mark[0] && window[at + 1] === mark[1] && window[at + 2] === mark[2]) at += 3;
      const isComment = matches(window, at, commentBytes);
      if (!isComment && window[at] !== newline && window[at] !== carriageReturn) break;
      const lineEnd = isComment ? findLineEnd(window, at) : at;
      if (lineEnd === window.length && !isLast) return -1;
      const after = lineEnd === window.length ? lineEnd : afterLineEnd(window, lineEnd, isLast);
      if (after === -1) return -1;
      if (isComment) comments += 1;
      else blankLines += 1;
      at = after;
    }
    return at;
  }

  /** The end of a plain cell: the byte of its delimiter or line end, or of the window's end. */
  function endPlain(window: Buffer, from: number): number {
    let kind = plain;
    let at = from;
    for (; at < window.length; at++) {
      const found = kinds[window[at] ?? 0];
      if (found === 0) continue;
      if (found === escapes) {
        kind = plainWithEscapes;
        at += 1;
      } else if (found === endsLine || isSimple || matches(window, at, delimiterBytes)) break;
    }
    add(from, Math.min(at, window.length), kind);
    return Math.min(at, window.length);
  }

  /** The byte after the closing quote; -1 where there is none in the window. */
  function endQuoted(window: Buffer, from: number): number {
    let kind = quoted;
    for (let at = from; at < window.length; at++) {
      const byte = window[at];
      if (byte === escapeByte) {
        kind = quotedWithEscapes;
        at += 1;
      } else if (byte === quoteByte && (quoteLength === 1 || matches(window, at, quoteBytes))) {
        if (!matches(window, at + quoteLength, quoteBytes)) {
          add(from, at, kind);
          return at + quoteLength;
        }
        kind = quotedWithEscapes;
        at += 2 * quoteLength - 1;
      }
    }
    return -1;
  }

  /** The cells from `from` on to the end of their record. */
  function scanCells(window: Buffer, from: number, isLast: boolean): Scanned {
    let at = from;
    for (;;) {
      let opening = at;
      if (trim) while (isSpace(window[opening])) opening += 1;
      if (matches(window, opening, quoteBytes)) {
        at = endQuoted(window, opening + quoteLength);
        if (at === -1) return isLast ? "broken" : "incomplete";
        while (isSpace(window[at])) at += 1;
        const isEnd = at === window.length || window[at] === newline || window[at] === carriageReturn;
        if (!isEnd && !matches(window, at, delimiterBytes)) return "broken";
      } else at = endPlain(window, opening);
      if (at === window.length) {
        end = at;
        return isLast ? "record" : "incomplete";
      }
      if (window[at] === newline || window[at] === carriageReturn) {
        end = afterLineEnd(window, at, isLast);
        return end === -1 ? "incomplete" : "record";
      }
      at += delimiterBytes.length;
    }
  }

  /** Doubled quotes count in quoted cells only. A backslash before anything else, as in a path of Windows, is text. */
  function unescapeText(text: string, isQuotedText: boolean): string {
    let result = "";
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text[at];
      const next = text[at + 1];
      const isEscaped = next === quote || next === escapeSign || next === delimiter || next === "\n";
      const isWritten = character === escapeSign ? isEscaped : isQuotedText && character === quote && next === quote;
      if (!isWritten) continue;
      result += text.slice(from, at);
      from = at + 1;
      at += 1;
    }
    return result + text.slice(from);
  }

  return {
    next(window, at, isLast) {
      count = 0;
      blankLines = 0;
      comments = 0;
      const passed = passLines(window, at, isLast);
      start = Math.max(passed, at);
      end = start;
      if (passed === -1) return "incomplete";
      if (start === window.length) return isLast ? "nothing" : "incomplete";
      const found = scanCells(window, start, isLast);
      if (found !== "broken") return found;
      const lineEnd = findLineEnd(window, start);
      end = lineEnd === window.length ? lineEnd : afterLineEnd(window, lineEnd, isLast);
      if (end === -1 || (lineEnd === window.length && !isLast)) return "incomplete";
      count = 0;
      add(start, lineEnd, plain);
      return "broken";
    },
    get start() {
      return start;
    },
    get end() {
      return end;
    },
    get blankLines() {
      return blankLines;
    },
    get comments() {
      return comments;
    },
    get width() {
      return count;
    },
    isEmpty: (cell) => cells[3 * cell] === cells[3 * cell + 1],
    isQuoted: (cell) => (cells[3 * cell + 2] ?? plain) >= quoted,
    text(window, cell) {
      const text = window.toString("utf8", cells[3 * cell], cells[3 * cell + 1]);
      const kind = cells[3 * cell + 2];
      return kind === plain || kind === quoted ? text : unescapeText(text, kind === quotedWithEscapes);
    },
  };
}
