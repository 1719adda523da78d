import { foldText } from "#contract";
import { parseJson } from "#main/storage";
import { type KnownLines, type LineChunk, readLineChunks, soundLineAt } from "./known-lines.ts";

/** What a stretch of a file brought. */
export interface Matches {
  /** Where the lines that hold the text start, in bytes. */
  readonly starts: number[];
  /** How far the file has been read. */
  readonly bytes: number;
}

const chunkBytes = 4 * 1024 * 1024;

/**
 * Finds the lines of a file of JSON Lines that hold a text, in any case. The bytes are searched for a part of it that JSON
 * writes in one way only; of the lines that have that part, the values are read and compared. One that is not as it was written holds nothing.
 */
export async function* scanMatches(
  path: string,
  known: KnownLines,
  text: string,
  signal?: AbortSignal,
): AsyncGenerator<Matches> {
  const pattern = createPattern(text);
  let folded = Buffer.allocUnsafeSlow(0);
  for await (const chunk of readLineChunks(path, known, chunkBytes, signal)) {
    const { bytes } = chunk;
    if (folded.length < bytes.length) folded = Buffer.allocUnsafeSlow(bytes.length + chunkBytes);
    fold(bytes, folded);
    yield { starts: findLines(known, chunk, folded, pattern), bytes: chunk.start + bytes.length };
  }
}

/** What is looked for in the bytes of lines. */
interface Pattern {
  /** In small letters. */
  readonly wanted: string;
  /** One of these is in each line that holds the text, folded as the lines are. */
  readonly anchors: readonly Buffer[];
  /** Whether the one anchor is the whole text. */
  readonly isWhole: boolean;
}

/** Where the lines of a chunk start that hold the text. */
function findLines(known: KnownLines, chunk: LineChunk, folded: Buffer, pattern: Pattern): number[] {
  const { bytes, start, next } = chunk;
  const starts: number[] = [];
  let line = chunk.first;
  for (let from = 0; from < bytes.length; ) {
    const at = firstIndexOf(folded, pattern.anchors, from);
    if (at === -1 || at >= bytes.length) break;
    const endOf = (place: number) => (known.starts[place] ?? 0) + (known.lengths[place] ?? 0) - start;
    while (line < next && endOf(line) <= at) line += 1;
    if (line === next) break;
    from = endOf(line);
    const text = at < (known.starts[line] ?? 0) - start ? null : soundLineAt(known, chunk, line);
    if (text === null) continue;
    const isHit = isInValue(bytes, at, pattern) || holds(parseJson(text), pattern.wanted);
    if (isHit) starts.push(known.starts[line] ?? 0);
  }
  return starts;
}

/**
 * Large and small letters as one: of each byte one bit is set. That makes some other bytes the same, too, which costs no
 * more than a look at lines that do not hold the text.
 */
function fold(bytes: Buffer, into: Buffer): void {
  const from = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.ceil(bytes.length / 4));
  const to = new Uint32Array(into.buffer, into.byteOffset, from.length);
  for (let at = 0; at < from.length; at++) to[at] = (from[at] ?? 0) | 0x20202020;
}

function firstIndexOf(folded: Buffer, anchors: readonly Buffer[], from: number): number {
  let first = -1;
  for (const anchor of anchors) {
    const at = folded.indexOf(anchor, from);
    if (at !== -1 && (first === -1 || at < first)) first = at;
  }
  return first;
}

const [quote, colon, backslash] = [0x22, 0x3a, 0x5c];
/** Characters beyond it have several bytes. */
const lastPlain = 0x7f;
const longestEscape = "\\uffff".length - 1;

/** Whether the text is there in a value, as far as that is clear without reading the whole line. */
function isInValue(lines: Buffer, at: number, { wanted, isWhole }: Pattern): boolean {
  if (!isWhole || lines.toString("latin1", at, at + wanted.length).toLowerCase() !== wanted) return false;
  // A mark may follow, of which the last letter is a part.
  const after = lines[at + wanted.length] ?? 0;
  if (after === backslash || after > lastPlain) return false;
  // The letters and digits of an escape are none of the text.
  if (lines.subarray(Math.max(0, at - longestEscape), at).includes(backslash)) return false;
  const open = lines.lastIndexOf(quote, at);
  if (open < 3 || lines[open - 1] !== colon || lines[open - 2] !== quote || lines[open - 3] === backslash) return false;
  const key = lines.toString("latin1", lines.lastIndexOf(quote, open - 3) + 1, open - 2);
  return !technical.has(key);
}

/** Characters that every writer of JSON leaves as they are. */
const plainRuns = /[a-z0-9 .,;:!?()_\-+*%@#$]+/g;

/**
 * What the bytes of a line that holds the text must have one of: its longest part of plain characters, or all the ways in
 * which its first character can be written, also as a letter with marks.
 */
function createPattern(text: string): Pattern {
  const wanted = foldText(text);
  const runs = [...wanted.matchAll(plainRuns)].map(([run]) => run).sort((a, b) => b.length - a.length);
  const anchors = (runs[0] === undefined ? writingsOf(wanted) : [runs[0]]).map((anchor) => {
    const bytes = Buffer.from(anchor);
    return bytes.map((byte) => byte | 0x20) as Buffer;
  });
  return { wanted, anchors, isWhole: runs[0] === wanted };
}

function writingsOf([first = ""]: Iterable<string>): string[] {
  const [, ...marks] = first.normalize("NFD");
  const atEnd = first === "σ" ? ["ς"] : [];
  return [first, first.toUpperCase(), ...atEnd, ...marks].flatMap((character) => [
    JSON.stringify(character).slice(1, -1),
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    character === "/" ? "\\/" : character,
  ]);
}

/** Members for how a request or an answer is built, and nothing that a user has written or read. */
const technical = new Set([
  "id",
  "object",
  "role",
  "type",
  "model",
  "method",
  "url",
  "request_id",
  "finish_reason",
  "system_fingerprint",
  "service_tier",
]);

function holds(value: unknown, wanted: string): boolean {
  if (typeof value === "string") return foldText(value).includes(wanted);
  if (Array.isArray(value)) return value.some((one) => holds(one, wanted));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => !technical.has(key) && holds(member, wanted));
}
