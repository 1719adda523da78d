import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { ServiceError } from "../errors.ts";
import type { Clock, Ids } from "../ports.ts";
import { shorten } from "../quote.ts";
import type { Store } from "../store/index.ts";
import type { FileLimits, FileRecord, Files } from "../types.ts";
import type { FileExpiry } from "./file-expiry.ts";
import { receive } from "./receive.ts";
import { findUser, removeFile } from "./remove-file.ts";

interface FilesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: FileLimits;
  readonly expiry: FileExpiry;
}

/** The files of the service: uploads, and what batches write. */
export function createFiles({ store, clock, ids, limits, expiry }: FilesParts): Files {
  function find(id: string): FileRecord {
    const record = store.files.get(id);
    if (record === undefined) throw new ServiceError("not_found", `No such file: ${shorten(id)}.`, "file_id");
    return record;
  }

  return {
    async receive(content) {
      const id = ids.create("file");
      const path = store.pathOf(id);
      const received = await receive(path, content, limits.bytes);
      return {
        ...received,
        async keep({ filename, purpose, lifetime = null }) {
          const createdAt = clock.now();
          const expiresAt = lifetime === null ? null : createdAt + lifetime;
          const record: FileRecord = { id, filename, purpose, ...received, createdAt, expiresAt, faulty: false };
          store.files.put(record);
          expiry.watch(record);
          return record;
        },
        discard: () => rm(path, { force: true }),
      };
    },
    get: (id) => store.files.get(id),
    list: () => store.files.list(),
    read(id, range) {
      const record = find(id);
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? record.bytes, record.bytes);
      return readRange(store.pathOf(id), start, end);
    },
    async remove(id) {
      find(id);
      const user = findUser(store, id);
      if (user !== undefined) {
        const message = `File ${id} is in use by batch ${user.id}, which has not ended. Cancel the batch, or wait for its end.`;
        throw new ServiceError("file_in_use", message, "file_id");
      }
      await removeFile(store, id);
    },
  };
}

/** Bytes that are read at a time: large enough that the way through the thread pool is not what takes the time. */
const readBytes = 512 * 1024;

/** Opens the file when the first byte is asked for. */
async function* readRange(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start < end) yield* createReadStream(path, { start, end: end - 1, highWaterMark: readBytes });
}
