import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline as pipelineOf, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { FileRecord } from "#main/storage";
import { isErrno } from "#main/storage";

/** What the bytes of a file are known by. */
const contentHashSchema = z.object({ bytes: z.int().min(0), sha256: z.string() });
export type ContentHash = z.infer<typeof contentHashSchema>;

/** The name of a file with the bytes of a table, in the folder of the table. */
export const contentNameSchema = z.string().regex(/^content[\w.-]*$/);
/** What the files of a table are known by. Of another name there is none: a repair removes what is damaged by its name. */
export const contentsSchema = z.record(contentNameSchema, contentHashSchema);

/** Reads the whole file. */
export async function hashContent(path: string, signal?: AbortSignal): Promise<ContentHash> {
  const hash = createHash("sha256");
  let bytes = 0;
  const content = createReadStream(path, { highWaterMark: readBytes, ...(signal && { signal }) });
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * Whether the bytes of a file are those that were stored, by their SHA-256; true for a file that a batch is still writing.
 * It reads the whole file each time: a disk can damage it at any moment.
 */
export async function isSoundContent(
  path: string,
  { bytes, sha256 }: FileRecord,
  signal?: AbortSignal,
): Promise<boolean> {
  if (sha256 === null) return true;
  const hash = createHash("sha256");
  // What follows them was being written when a process ended, and does not count.
  const end = Math.max(0, bytes - 1);
  await pipeline(createReadStream(path, { end, highWaterMark: readBytes }), hash, { ...(signal && { signal }) });
  return hash.digest("hex") === sha256;
}

/** Files whose comparison is remembered. */
const mostRemembered = 1_000;

/**
 * Makes a check of files that compares each when it is first used, and again after a change that the file system knows of. A missing
 * file is not sound.
 */
export function createContentCheck(): (path: string, compare: () => Promise<boolean>) => Promise<boolean> {
  /** By path: the file that was compared, and whether it is as it was stored. */
  const checks = new Map<string, { readonly stamp: string; readonly isSound: Promise<boolean> }>();
  return async (path, compare) => {
    const stamp = await stampOf(path);
    if (stamp === null) return false;
    const before = checks.get(path);
    if (before?.stamp === stamp) return await before.isSound;
    const check = { stamp, isSound: compare() };
    const [oldest] = checks.keys();
    if (checks.size >= mostRemembered && oldest !== undefined) checks.delete(oldest);
    checks.set(path, check);
    check.isSound.catch(() => checks.delete(path));
    return await check.isSound;
  };
}

/** What the file system knows of a file that has not changed; null where there is none. */
async function stampOf(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}

const readBytes = 512 * 1024;

/** A stream of a whole file that fails at its end when the bytes are not those that were stored: nothing of it is taken for whole then. */
export function checkWhile(content: Readable, sha256: string): Readable {
  const hash = createHash("sha256");
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      done(hash.digest("hex") === sha256 ? null : new Error("The file is damaged on disk."));
    },
  });
  // Its failure is the stream's own.
  pipelineOf(content, check, () => {});
  return check;
}
