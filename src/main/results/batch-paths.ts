import { statSync } from "node:fs";
import { ServiceError } from "#main/base";
import type { BatchRecord, LedgerPlace, StoredFolder } from "#main/storage";

/** The files of a batch on disk; null where it has none. */
export interface BatchPaths {
  readonly input: string;
  readonly output: string | null;
  readonly error: string | null;
  /** Where each answer is, and what it is checked by. */
  readonly ledger: LedgerPlace;
  /** How long the lines took of a batch from before there were ledgers; need not be there. */
  readonly timings: string;
  /** Where its requests are; need not be there. */
  readonly index: string;
  /** How many requests were in the input file when it was checked; 0 before that. */
  readonly total: number;
}

/**
 * Output and error file are those that the batch has when they are asked for: answers come, and their files with the first, while a caller
 * still has an earlier record of it. One that is gone from the disk is null: its answers are damaged. Fails with a ServiceError where its user
 * has deleted one, or the input file is gone.
 */
export function pathsOf({ id, ...earlier }: BatchRecord, store: StoredFolder): BatchPaths {
  function path(fileId: string, what: string): string | null {
    if (store.files.get(fileId) === undefined) throw lost(what, "has been deleted");
    const found = store.pathOf(fileId);
    // Any other failure of the disk says nothing of the file.
    return statSync(found, { throwIfNoEntry: false }) === undefined ? null : found;
  }
  function pathNow(of: "outputFileId" | "errorFileId", what: string): string | null {
    const fileId = (store.batches.get(id) ?? earlier)[of];
    return fileId === null ? null : path(fileId, what);
  }
  function lost(what: string, how: string): ServiceError {
    return new ServiceError("not_found", `The ${what} file of batch ${id} ${how}.`, "batch_id");
  }
  const input = path(earlier.inputFileId, "input");
  if (input === null) throw lost("input", "is no longer on disk. Put it back from a backup");
  return {
    input,
    get output() {
      return pathNow("outputFileId", "output");
    },
    get error() {
      return pathNow("errorFileId", "error");
    },
    ledger: store.ledgerOf(id),
    timings: store.timingsOf(id),
    index: store.indexOf(id),
    total: earlier.counts.total,
  };
}
