import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { ServiceError } from "../errors.ts";
import type { Clock, Ids } from "../ports.ts";
import type { Store } from "../store/index.ts";
import type { FileLimits, FileRecord, Files } from "../types.ts";
import { receive } from "./receive.ts";

interface FilesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: FileLimits;
}

/** The files of the service: uploads, and what batches write. */
export function createFiles({ store, clock, ids, limits }: FilesParts): Files {
  return {
    async receive(content) {
      const id = ids.create("file");
      const path = store.pathOf(id);
      const received = await receive(path, content, limits.bytes);
      return {
        ...received,
        async keep({ filename, purpose }) {
          const record: FileRecord = { id, filename, purpose, ...received, createdAt: clock.now() };
          store.files.put(record);
          return record;
        },
        discard: () => rm(path, { force: true }),
      };
    },
    get: (id) => store.files.get(id),
    list: () => store.files.list(),
    read(id, range) {
      const record = store.files.get(id);
      if (record === undefined) throw new ServiceError("not_found", `No such file: ${id}.`, "file_id");
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? record.bytes, record.bytes);
      return readRange(store.pathOf(id), start, end);
    },
  };
}

/** Opens the file when the first byte is asked for. */
async function* readRange(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start < end) yield* createReadStream(path, { start, end: end - 1 });
}
