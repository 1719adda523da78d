import { type FileHandle, open } from "node:fs/promises";
import { parseJson } from "../io/index.ts";

/** What a stretch of a file brought. */
export interface Matches {
  /** Where the lines that hold the text start, in bytes. */
  readonly starts: number[];
  /** How far the file has been read. */
  readonly bytes: number;
}

const newline = 0x0a;
const chunkBytes = 4 * 1024 * 1024;

/**
 * Finds the lines of a file of JSON Lines that hold a text, in any case. The bytes are searched for a part of it that JSON
 * writes in one way only; of the lines that have that part, the values are read and compared.
 */
export async function* scanMatches(path: string, text: string, signal?: AbortSignal): AsyncGenerator<Matches> {
  const wanted = text.toLowerCase();
  const anchors = anchorsOf(wanted);
  const file = await open(path);
  try {
    let buffer: Buffer = Buffer.allocUnsafeSlow(chunkBytes * 2);
    let filled = 0;
    let base = 0;
    for (;;) {
      signal?.throwIfAborted();
      if (filled > buffer.length - chunkBytes) buffer = grow(buffer, filled);
      const read = await readInto(file, buffer, filled, base + filled);
      filled += read;
      const end = read === 0 ? filled : buffer.lastIndexOf(newline, filled - 1) + 1;
      if (end > 0) {
        const starts = findLines(buffer.subarray(0, end), anchors, wanted).map((start) => base + start);
        base += end;
        buffer.copyWithin(0, end, filled);
        filled -= end;
        yield { starts, bytes: base };
      }
      if (read === 0) return;
    }
  } finally {
    await file.close();
  }
}

async function readInto(file: FileHandle, buffer: Buffer, at: number, position: number): Promise<number> {
  const { bytesRead } = await file.read(buffer, at, Math.min(chunkBytes, buffer.length - at), position);
  return bytesRead;
}

/** More room, for a line that is longer than the buffer. */
function grow(buffer: Buffer, filled: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 2);
  buffer.copy(larger, 0, 0, filled);
  return larger;
}

/** Where in some whole lines those start that hold the text. */
function findLines(lines: Buffer, anchors: readonly string[], wanted: string): number[] {
  const starts: number[] = [];
  // A character for each byte: letters of other alphabets come out as nonsense, the same in the anchors as here.
  const haystack = lines.toString("latin1").toLowerCase();
  for (let from = 0; from < haystack.length; ) {
    const at = firstIndexOf(haystack, anchors, from);
    if (at === -1) break;
    const start = haystack.lastIndexOf("\n", at) + 1;
    const next = haystack.indexOf("\n", at);
    const end = next === -1 ? haystack.length : next;
    if (holds(parseJson(lines.toString("utf8", start, end)), wanted)) starts.push(start);
    from = end + 1;
  }
  return starts;
}

function firstIndexOf(haystack: string, anchors: readonly string[], from: number): number {
  let first = -1;
  for (const anchor of anchors) {
    const at = haystack.indexOf(anchor, from);
    if (at !== -1 && (first === -1 || at < first)) first = at;
  }
  return first;
}

/** Characters that every writer of JSON leaves as they are. */
const plainRuns = /[a-z0-9 .,;:!?()_\-+*%@#$]+/g;

/**
 * What the bytes of a line that holds the text must have one of: its longest part of plain characters, or all the ways in
 * which its first character can be written.
 */
function anchorsOf(wanted: string): readonly string[] {
  const runs = [...wanted.matchAll(plainRuns)].map(([run]) => run).sort((a, b) => b.length - a.length);
  if (runs[0] !== undefined) return [runs[0]];
  const [first = ""] = wanted;
  const written = [first, first.toUpperCase()].flatMap((character) => [
    JSON.stringify(character).slice(1, -1),
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    character === "/" ? "\\/" : character,
  ]);
  return [...new Set(written.map((one) => Buffer.from(one).toString("latin1").toLowerCase()))];
}

/** Members that say how a request or an answer is built, and nothing that a user has written or read. */
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
  if (typeof value === "string") return value.toLowerCase().includes(wanted);
  if (Array.isArray(value)) return value.some((one) => holds(one, wanted));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => !technical.has(key) && holds(member, wanted));
}
