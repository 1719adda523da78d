import type { Clock, Logger } from "#main/base";
import type { FileRecord, Store } from "#main/storage";
import { findUser, removeFile } from "./files.ts";

/** How long after its time a file that a batch still uses is looked at again, in milliseconds. */
const graceForUsers = 60_000;

/** Removes files when their time has come. */
export interface FileExpiry {
  /** Takes notice of a new file. */
  watch(file: FileRecord): void;
  close(): void;
}

/** Begins with the files that are there: what fell due while nothing ran is removed now. */
export function startFileExpiry({ store, clock, logger }: { store: Store; clock: Clock; logger: Logger }): FileExpiry {
  const planned = new Map<string, () => void>();

  function plan(id: string, delay: number): void {
    planned.set(
      id,
      clock.after(delay, () => {
        planned.delete(id);
        expire(id);
      }),
    );
  }

  function expire(id: string): void {
    if (store.all.files.get(id) === undefined) return;
    // In a damaged folder nothing is deleted by itself.
    if (store.isDamaged.get() || findUser(store, id) !== undefined) {
      plan(id, graceForUsers);
      return;
    }
    removeFile(store, id).then(
      () => logger.info("A file expired", { file: id }),
      (error: unknown) => logger.error("An expired file can't be removed", { file: id, error: String(error) }),
    );
  }

  function watch({ id, expiresAt }: FileRecord): void {
    if (expiresAt !== null) plan(id, expiresAt - clock.now());
  }

  // Those of deleted batches expire like all others.
  for (const file of store.all.files.list()) watch(file);
  return {
    watch,
    close() {
      for (const forget of planned.values()) forget();
      planned.clear();
    },
  };
}
