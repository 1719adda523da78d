import type { Store } from "../store/index.ts";
import type { BatchRecord } from "../types.ts";

/** The files of a batch on disk; null where it has none. */
export interface BatchPaths {
  readonly input: string;
  readonly output: string | null;
  readonly error: string | null;
}

export function pathsOf(batch: BatchRecord, store: Store): BatchPaths {
  const path = (fileId: string | null) => (fileId === null ? null : store.pathOf(fileId));
  return {
    input: store.pathOf(batch.inputFileId),
    output: path(batch.outputFileId),
    error: path(batch.errorFileId),
  };
}
