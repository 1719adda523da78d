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
}

/** Fails with a ServiceError when one of them is no longer there. */
export function pathsOf(batch: BatchRecord, store: Omit<StoredFolder, "batches">): BatchPaths {
  function path(fileId: string, what: string): string {
    const found = store.pathOf(fileId);
    const isListed = store.files.get(fileId) !== undefined;
    if (isListed && existsSync(found)) return found;
    const message = `The ${what} file of batch ${batch.id} ${isListed ? "is no longer on disk" : "has been deleted"}.`;
    throw new ServiceError("not_found", message, "batch_id");
  }
  return {
    input: path(batch.inputFileId, "input"),
    output: batch.outputFileId === null ? null : path(batch.outputFileId, "output"),
    error: batch.errorFileId === null ? null : path(batch.errorFileId, "error"),
    ledger: store.ledgerOf(batch.id),
    timings: store.timingsOf(batch.id),
    index: store.indexOf(batch.id),
  };
}
