import { closeSync, openSync, readSync } from "node:fs";
import { openFiles } from "./open-files.ts";

const newline = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const chunkBytes = 256 * 1024;

/** A line as a scan meets it. */
export interface ScannedLine {
  /** Without its line end (LF or CRLF), and without the file's byte-order mark. Null for a line over the limit. */
  readonly bytes: Buffer | null;
  /** Where its first byte is in the file. */
  readonly start: number;
  /** Where the next line starts. */
  readonly end: number;
  /** False for bytes after the last line end. */
  readonly terminated: boolean;
}

export interface ScanOptions {
  /** The byte that the first line begins at; 0 by default. */
  readonly from?: number;
  /** Longer lines come without their bytes. */
  readonly maxLineBytes?: number;
  /** Ends the scan with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each chunk with the bytes read so far and the size of the file. */
  readonly onChunk?: ((bytes: number, total: number) => void) | undefined;
}

/**
 * Reads a file line by line and hands each to `onLine`. No more of it is in memory than a chunk and the longest line.
 * Between two chunks the thread is free for other work.
 */
export async function scanLines(
  path: string,
  onLine: (line: ScannedLine) => void,
  options: ScanOptions = {},
): Promise<void> {
  const { from = 0, maxLineBytes = Number.POSITIVE_INFINITY, signal, onChunk } = options;
  const file = await openFiles.open(path);
  try {
    const { size } = await file.stat();
    const splitter = createSplitter(maxLineBytes, onLine, from);
    for (let position = from; ; ) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(size - position, 0) + 1));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) break;
      splitter.push(chunk.subarray(0, bytesRead));
      position += bytesRead;
      onChunk?.(position, Math.max(size, position));
    }
    splitter.finish();
  } finally {
    await file.close();
  }
}

/** The same while the caller waits: for what is read before anything else can be done. */
export function scanLinesSync(path: string, onLine: (line: ScannedLine) => void): void {
  const file = openSync(path, "r");
  try {
    const splitter = createSplitter(longestStreamed, onLine);
    for (let position = 0; ; ) {
      const chunk = Buffer.allocUnsafeSlow(chunkBytes);
      const bytesRead = readSync(file, chunk, 0, chunk.length, position);
      if (bytesRead === 0) break;
      splitter.push(chunk.subarray(0, bytesRead));
      position += bytesRead;
    }
    splitter.finish();
  } finally {
    closeSync(file);
  }
}

/** The longest line that is read of an answer, in bytes. */
export const longestStreamed = 64_000_000;

/**
 * The lines of a stream of bytes, split at line feeds alone: other marks that end a line for people (U+2028, say) may be part of a
 * JSON text. Null for a line of more than 64 MB, of which nothing is kept.
 */
export async function* streamLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string | null, void> {
  let lines: (string | null)[] = [];
  const splitter = createSplitter(longestStreamed, ({ bytes }) => lines.push(bytes === null ? null : bytes.toString()));
  for await (const chunk of content) {
    splitter.push(Buffer.from(chunk));
    yield* lines;
    lines = [];
  }
  splitter.finish();
  yield* lines;
}

function createSplitter(maxLineBytes: number, onLine: (line: ScannedLine) => void, from = 0) {
  /** The pieces of a line that continues beyond the chunk. */
  let pieces: Buffer[] = [];
  let piecesBytes = 0;
  let lineStart = from;

  function keep(piece: Buffer): void {
    piecesBytes += piece.length;
    if (piecesBytes <= maxLineBytes) pieces.push(piece);
    else pieces = [];
  }

  function endLine(rest: Buffer, end: number, terminated: boolean): void {
    let bytes: Buffer | null = rest;
    if (piecesBytes > 0) {
      keep(rest);
      bytes = piecesBytes <= maxLineBytes ? Buffer.concat(pieces) : null;
    } else if (rest.length > maxLineBytes) {
      bytes = null;
    }
    let start = lineStart;
    if (bytes !== null) {
      if (start === 0 && bytes.subarray(0, 3).equals(byteOrderMark)) {
        bytes = bytes.subarray(3);
        start = 3;
      }
      if (terminated && bytes.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1);
    }
    onLine({ bytes, start, end, terminated });
    pieces = [];
    piecesBytes = 0;
    lineStart = end;
  }

  let position = from;
  return {
    push(chunk: Buffer): void {
      let next = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, next)) {
        endLine(chunk.subarray(next, at), position + at + 1, true);
        next = at + 1;
      }
      if (next < chunk.length) keep(chunk.subarray(next));
      position += chunk.length;
    },
    finish(): void {
      if (piecesBytes > 0) endLine(Buffer.alloc(0), position, false);
    },
  };
}
