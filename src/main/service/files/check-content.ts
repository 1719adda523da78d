import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline as pipelineOf, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { FileRecord } from "../store/index.ts";

/** What the bytes of a file are known by. */
export const contentHashSchema = z.object({ bytes: z.int().min(0), sha256: z.string() });
export type ContentHash = z.infer<typeof contentHashSchema>;

/** Reads the whole file. */
export async function hashContent(path: string): Promise<ContentHash> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * Whether the bytes of a file are those that were stored, by their SHA-256; true for a file that a batch is still writing.
 * It reads the whole file each time: a disk can damage it at any moment.
 */
export async function isSoundContent(path: string, { bytes, sha256 }: FileRecord): Promise<boolean> {
  if (sha256 === null) return true;
  const hash = createHash("sha256");
  // What follows them was being written when a process ended, and does not count.
  const end = Math.max(0, bytes - 1);
  await pipeline(createReadStream(path, { end, highWaterMark: readBytes }), hash);
  return hash.digest("hex") === sha256;
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
