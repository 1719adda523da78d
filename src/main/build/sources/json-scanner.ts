import { BuildError } from "../errors.ts";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const space = 0x20;
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What is between two brackets, or what a value begins with. */
type JsonKind = "array" | "object" | "scalar";

/** A bracket, a brace, a comma, or the colon after a key of the outermost object. */
export type JsonMark = "openArray" | "closeArray" | "openObject" | "closeObject" | "comma" | "colon";

const marks: (JsonMark | undefined)[] = Array.from({ length: 256 });
marks[openBracket] = "openArray";
marks[closeBracket] = "closeArray";
marks[openBrace] = "openObject";
marks[closeBrace] = "closeObject";
marks[comma] = "comma";
marks[colon] = "colon";

/** The longest key that is told apart, in bytes. */
const longestKey = 1_000;

interface JsonScanner {
  /** Scans the next piece. Line ends become spaces in the piece itself. */
  scan(piece: Buffer): void;
  /** The last text outside of any value but the outermost: at a colon, the key before it. */
  readonly lastText: string;
}

/** Called at each mark outside of texts, with how many brackets and braces are open around it. */
type OnMark = (mark: JsonMark, depth: number, at: number) => void;

/** Scans JSON text piece by piece for its delimiters. */
export function createJsonScanner(onMark: OnMark): JsonScanner {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let text: number[] = [];
  return {
    scan(piece) {
      for (let at = 0; at < piece.length; at++) {
        const byte = piece[at] ?? 0;
        if (byte === 0x0a || byte === 0x0d) piece[at] = space;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === quote) isText = false;
          else if (byte === backslash) isEscaped = true;
          if (isText && depth === 1 && text.length < longestKey) text.push(byte);
          continue;
        }
        if (byte === quote) {
          isText = true;
          if (depth === 1) text = [];
          continue;
        }
        const mark = marks[byte];
        if (mark === undefined) continue;
        if (mark === "openArray" || mark === "openObject") onMark(mark, depth++, at);
        else if (mark === "closeArray" || mark === "closeObject") {
          // Text that closes more than it opened is still read to its end.
          depth = Math.max(0, depth - 1);
          onMark(mark, depth, at);
        } else if (mark === "comma" || depth === 1) onMark(mark, depth, at);
      }
    },
    get lastText() {
      const raw = Buffer.from(text).toString("utf8");
      try {
        return String(JSON.parse(`"${raw}"`));
      } catch {
        return raw;
      }
    },
  };
}

/** A value of the outermost object of a document. */
export interface JsonEntry {
  readonly key: string;
  readonly kind: JsonKind;
  /** The byte it opens with. */
  readonly start: number;
  /** The byte after it; that of the document's end where it is cut off. */
  end: number;
  /** Of an array: the commas between its elements, and what the first of them is, where that can be seen. */
  commas: number;
  first: JsonKind | null;
}

/** How the outermost values of a document are laid out, as far as that decides what its rows are. */
export interface JsonSurvey {
  /** What the document begins with; null where it has neither an array nor an object. */
  readonly kind: "array" | "object" | null;
  /** Of an array: what its first element is. */
  readonly first: JsonKind | null;
  /** Whether another array or object follows the first one. */
  readonly isSequence: boolean;
  /** Of an object: its values, in their order. */
  readonly entries: readonly JsonEntry[];
}

const kindOf = (mark: JsonMark) =>
  mark === "openArray" ? ("array" as const) : mark === "openObject" ? ("object" as const) : null;

/** The most values of an object that are listed. */
const mostEntries = 2_000_000;
const tooManyEntries = "This JSON object has more than 2,000,000 keys. Save its rows as JSON Lines, one on each line.";

/** Collects the values of an object whose marks it is given. */
function createEntryList() {
  const entries: JsonEntry[] = [];
  let open: JsonEntry | null = null;
  let key: string | null = null;

  function add(kind: JsonKind, at: number): void {
    if (key === null) return;
    const entry: JsonEntry = { key, kind, start: at, end: at, commas: 0, first: null };
    if (entries.push(entry) > mostEntries) throw new BuildError("refused", tooManyEntries);
    open = kind === "scalar" ? null : entry;
    key = null;
  }

  return {
    entries,
    add(mark: JsonMark, depth: number, at: number, lastText: () => string): void {
      const opened = kindOf(mark);
      if (depth === 2 && open !== null) {
        open.first ??= opened ?? (mark === "comma" ? "scalar" : null);
        if (mark === "comma") open.commas += 1;
      } else if (depth === 1 && mark === "colon") key = lastText();
      else if (depth === 1 && opened !== null) add(opened, at);
      else if (depth === 1 && mark !== "comma" && open !== null) {
        open.end = at + 1;
        open = null;
      } else if (depth < 2) add("scalar", at);
    },
    /** The text ended, and what is open with it. */
    end(at: number): void {
      if (open !== null) open.end = at;
    },
  };
}

/**
 * Reads a document, given as pieces of UTF-8, up to where its layout is clear: an array of objects up to its first one,
 * an object up to its end.
 */
export async function surveyJson(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<JsonSurvey> {
  const list = createEntryList();
  let kind: JsonSurvey["kind"] = null;
  let first: JsonKind | null = null;
  let isSequence = false;
  let isClear = false;
  let position = 0;
  const scanner = createJsonScanner((mark, depth, at) => {
    if (isClear) return;
    const opened = kindOf(mark);
    if (depth === 0 && opened !== null) {
      isSequence = isClear = kind !== null;
      kind ??= opened;
    } else if (kind === "array") {
      if (depth === 1) first ??= opened ?? "scalar";
      isClear = first === "object" || first === "array";
    } else if (kind === "object") list.add(mark, depth, position + at, () => scanner.lastText);
  });
  for await (const piece of pieces) {
    scanner.scan(piece);
    if (isClear) break;
    position += piece.length;
  }
  list.end(position);
  return { kind, first, isSequence, entries: list.entries };
}
