import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { isSoundAnswer } from "#main/storage";
import { isInOutput, type LineColumns, withoutEnd } from "./line-index.ts";

/** Which file of a batch. */
const fileKindSchema = z.enum(["input", "output", "error"]);
export type FileKind = z.infer<typeof fileKindSchema>;

/** The lines of a file that are known, in their order, and what they are checked by: wherever a whole file is read. */
export const knownLinesSchema = z.object({
  kind: fileKindSchema,
  starts: z.instanceof(Float64Array<ArrayBuffer>),
  /** With their line ends; of the input file with blank lines that follow, too. */
  lengths: z.instanceof(Uint32Array<ArrayBuffer>),
  checksums: z.instanceof(Uint32Array<ArrayBuffer>),
});
export type KnownLines = z.infer<typeof knownLinesSchema>;

/**
 * Lists the lines of a batch's file that are not known to be damaged, and finds their numbers. Answers before byte `from` are
 * left out.
 */
export function listKnownLines(
  columns: LineColumns,
  kind: FileKind,
  from = 0,
): KnownLines & { lineAt(start: number): number } {
  const { requestStarts, requestChecksums, starts, lengths, checksums, states } = columns;
  if (kind === "input") {
    const own = {
      starts: requestStarts.slice(0, -1),
      lengths: Uint32Array.from(requestChecksums, (_, at) => (requestStarts[at + 1] ?? 0) - (requestStarts[at] ?? 0)),
      checksums: requestChecksums.slice(),
    };
    return { kind, ...own, lineAt: (start) => floorIndex(requestStarts, start) + 1 };
  }
  const places = new Uint32Array(states.length);
  let count = 0;
  let [last, isAscending] = [-1, true];
  for (let at = 0; at < states.length; at++) {
    const state = states[at] ?? 0;
    if (state < 1 || state > 3 || isInOutput(state) !== (kind === "output")) continue;
    const start = starts[at] ?? 0;
    if (start < from) continue;
    isAscending &&= start >= last;
    last = start;
    places[count++] = at;
  }
  const known = places.subarray(0, count);
  // Answers are in the order in which they came.
  if (!isAscending) known.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
  const own = {
    starts: Float64Array.from(known, (at) => starts[at] ?? 0),
    lengths: Uint32Array.from(known, (at) => (lengths[at] ?? 0) + 1),
    checksums: Uint32Array.from(known, (at) => checksums[at] ?? 0),
  };
  const ordered = own.starts.slice();
  return {
    kind,
    ...own,
    lineAt(start) {
      const place = floorIndex(ordered, start);
      return ordered[place] === start ? (known[place] ?? -1) + 1 : 0;
    },
  };
}

/** The last place whose number is not above the wanted one; -1 when all are. */
function floorIndex(ascending: Float64Array, wanted: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

/** Some known lines of a file, with what may stand between them. The bytes are good until the next ones are asked for. */
export interface LineChunk {
  readonly bytes: Buffer;
  /** Where the bytes begin in the file. */
  readonly start: number;
  /** The lines, by their places: `next` is the first that is not in it. */
  readonly first: number;
  readonly next: number;
}

/** Reads whole lines, about `chunkBytes` at a time. What is gone from the end of the file is left out. */
export async function* readLineChunks(
  path: string,
  { starts, lengths }: KnownLines,
  chunkBytes: number,
  signal?: AbortSignal,
): AsyncGenerator<LineChunk> {
  const file = await open(path);
  try {
    let buffer = Buffer.alloc(0);
    for (let first = 0; first < starts.length; ) {
      signal?.throwIfAborted();
      const start = starts[first] ?? 0;
      let next = first;
      let end = start;
      do end = (starts[next] ?? 0) + (lengths[next++] ?? 0);
      while (next < starts.length && (starts[next] ?? 0) + (lengths[next] ?? 0) - start <= chunkBytes);
      if (buffer.length < end - start) buffer = Buffer.allocUnsafeSlow(end - start + chunkBytes);
      yield { bytes: buffer.subarray(0, await readInto(file, buffer, start, end - start)), start, first, next };
      first = next;
    }
  } finally {
    await file.close();
  }
}

async function readInto(file: FileHandle, buffer: Buffer, position: number, length: number): Promise<number> {
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

/** The line at a place of a chunk without its line end; null where it is not as it was written. */
export function soundLineAt({ kind, starts, lengths, checksums }: KnownLines, chunk: LineChunk, at: number) {
  const start = (starts[at] ?? 0) - chunk.start;
  const whole = chunk.bytes.subarray(start, start + (lengths[at] ?? 0));
  const checksum = checksums[at] ?? 0;
  if (kind === "input") {
    const line = Buffer.from(withoutEnd(whole));
    return crc32(line) === checksum ? line.toString() : null;
  }
  return isSoundAnswer(whole, { length: (lengths[at] ?? 0) - 1, checksum })
    ? whole.toString("utf8", 0, whole.length - 1)
    : null;
}

const readBytes = 1024 * 1024;

/** Hands each sound line to `onLine`, with where it starts. */
export async function eachKnownLine(
  path: string,
  known: KnownLines,
  onLine: (text: string, start: number) => void,
  { signal, onProgress }: { signal?: AbortSignal; onProgress: (bytes: number, size: number) => void },
): Promise<void> {
  const { starts, lengths } = known;
  const size = (starts.at(-1) ?? 0) + (lengths.at(-1) ?? 0);
  for await (const chunk of readLineChunks(path, known, readBytes, signal)) {
    for (let at = chunk.first; at < chunk.next; at++) {
      const line = soundLineAt(known, chunk, at);
      if (line !== null) onLine(line, starts[at] ?? 0);
    }
    onProgress(chunk.start + chunk.bytes.length, size);
  }
}
