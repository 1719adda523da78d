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
  const isSimple = delimiterBytes.length === 1;
  const kinds = new Uint8Array(256);
  kinds[newline] = endsLine;
  kinds[carriageReturn] = endsLine;
  if (escapeByte >= 0) kinds[escapeByte] = escapes;
  kinds[delimiterByte] = delimits;
  const isSpace = (byte: number | undefined) => (byte === space || byte === tab) && byte !== delimiterByte;

  /** Three numbers for each cell: its start, its end, and how its text is got. */
  let cells = new Int32Array(3 * 64);
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

  /** Finds the cells from `from` on to the end of their record. One loop, since a large table has a billion bytes. */
  function scanCells(window: Buffer, from: number, isLast: boolean): Scanned {
    const { length } = window;
    let at = from;
    for (let cell = 0; ; cell += 3) {
      if (cell + 3 > cells.length) {
        const more = new Int32Array(2 * cells.length);
        more.set(cells);
        cells = more;
      }
      if (trim) while (isSpace(window[at])) at += 1;
      if (window[at] === quoteByte) {
        let kind = quoted;
        const opened = at + 1;
        for (at = opened; at < length; at++) {
          const byte = window[at];
          if (byte === quoteByte) {
            if (window[at + 1] !== quoteByte) break;
            kind = quotedWithEscapes;
            at += 1;
          } else if (byte === escapeByte) {
            kind = quotedWithEscapes;
            at += 1;
          }
        }
        if (at >= length) return isLast ? "broken" : "incomplete";
        cells[cell] = opened;
        cells[cell + 1] = at;
        cells[cell + 2] = kind;
        at += 1;
        while (isSpace(window[at])) at += 1;
        const found = at < length ? kinds[window[at] ?? 0] : endsLine;
        if (found !== endsLine && !(found === delimits && (isSimple || matches(window, at, delimiterBytes)))) {
          return "broken";
        }
      } else {
        let kind = plain;
        const begun = at;
        for (; at < length; at++) {
          const found = kinds[window[at] ?? 0];
          if (found === 0) continue;
          if (found === escapes) {
            kind = plainWithEscapes;
            at += 1;
          } else if (found === endsLine || isSimple || matches(window, at, delimiterBytes)) break;
        }
        if (at > length) at = length;
        cells[cell] = begun;
        cells[cell + 1] = at;
        cells[cell + 2] = kind;
      }
      const byte = window[at];
      if (at < length && byte !== newline && byte !== carriageReturn) {
        at += delimiterBytes.length;
        continue;
      }
      count = cell / 3 + 1;
      end = at === length ? at : afterLineEnd(window, at, isLast);
      return isLast || (at < length && end !== -1) ? "record" : "incomplete";
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
      const byte = window[at];
      const mayPass = byte === newline || byte === carriageReturn || byte === mark[0] || byte === commentBytes[0];
      const passed = mayPass || at >= window.length ? passLines(window, at, isLast) : at;
      start = Math.max(passed, at);
      end = start;
      if (passed === -1) return "incomplete";
      if (start === window.length) return isLast ? "nothing" : "incomplete";
      const found = scanCells(window, start, isLast);
      if (found !== "broken") return found;
      const lineEnd = findLineEnd(window, start);
      end = lineEnd === window.length ? lineEnd : afterLineEnd(window, lineEnd, isLast);
      if (end === -1 || (lineEnd === window.length && !isLast)) return "incomplete";
      cells.set([start, lineEnd, plain]);
      count = 1;
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
