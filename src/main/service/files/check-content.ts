import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline as pipelineOf, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FileRecord, Store } from "../store/index.ts";

/** Whether the bytes of files are those that were stored, by their SHA-256. */
export interface ContentCheck {
  /** It was stored by this process, or found sound. */
  add(fileId: string): void;
  /** Reads the file once for each start of the process; true for a file that a batch is still writing. */
  isSound(file: FileRecord): Promise<boolean>;
}

export function createContentCheck({ pathOf }: Pick<Store, "pathOf">): ContentCheck {
  const known = new Map<string, Promise<boolean>>();

  async function read({ id, bytes, sha256 }: FileRecord): Promise<boolean> {
    const hash = createHash("sha256");
    // What follows them was being written when a process ended, and does not count.
    const end = Math.max(0, bytes - 1);
    await pipeline(createReadStream(pathOf(id), { end, highWaterMark: readBytes }), hash);
    return hash.digest("hex") === sha256;
  }

  return {
    add: (fileId) => void known.set(fileId, Promise.resolve(true)),
    isSound(file) {
      if (file.sha256 === null) return Promise.resolve(true);
      const found = known.get(file.id) ?? read(file);
      known.set(file.id, found);
      // What can't be read now is tried again the next time.
      found.catch(() => known.delete(file.id));
      return found;
    },
  };
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
