import { existsSync } from "node:fs";
import { ServiceError } from "../errors.ts";
import type { LedgerPlace } from "../ledger/index.ts";
import type { BatchRecord, StoredFolder } from "../store/index.ts";

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
 * still has an earlier record of it. Fails with a ServiceError when one of them is no longer there.
 */
export function pathsOf({ id, ...earlier }: BatchRecord, store: StoredFolder): BatchPaths {
  function path(fileId: string, what: string): string {
    const found = store.pathOf(fileId);
    const isListed = store.files.get(fileId) !== undefined;
    if (isListed && existsSync(found)) return found;
    const remedy = what === "input" ? "" : ", or duplicate the batch to ask its lines again";
    const lost = isListed ? `is no longer on disk. Put it back from a backup${remedy}` : "has been deleted";
    throw new ServiceError("not_found", `The ${what} file of batch ${id} ${lost}.`, "batch_id");
  }
  function pathNow(of: "outputFileId" | "errorFileId", what: string): string | null {
    const fileId = (store.batches.get(id) ?? earlier)[of];
    return fileId === null ? null : path(fileId, what);
  }
  return {
    input: path(earlier.inputFileId, "input"),
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
