import { finalStatuses } from "#contract";
import type { BatchRecord, Store } from "../store/index.ts";
import { pathsOf } from "./batch-paths.ts";
import type { LineIndex } from "./line-index.ts";
import { readIndex } from "./read-index.ts";

/** Indexes of ended batches that stay in memory. */
const keptIndexes = 16;

/** The line indexes of batches: those of running ones, and of ended ones that were looked at of late. */
export interface IndexCache {
  /** The index of a batch that has passed its check; read from its files when it is not in memory. */
  get(batch: BatchRecord): Promise<LineIndex>;
  set(batchId: string, index: LineIndex): void;
  forget(batchId: string): void;
}

export function createIndexCache(store: Store): IndexCache {
  /** The longest unused first. */
  const indexes = new Map<string, Promise<LineIndex>>();

  function keep(batchId: string, index: Promise<LineIndex>): void {
    indexes.delete(batchId);
    indexes.set(batchId, index);
    let left = indexes.size - keptIndexes;
    for (const id of indexes.keys()) {
      if (left <= 0) break;
      if (isRunning(id)) continue;
      indexes.delete(id);
      left -= 1;
    }
  }

  function isRunning(batchId: string): boolean {
    const batch = store.batches.get(batchId);
    return batch !== undefined && !finalStatuses.has(batch.status);
  }

  return {
    get(batch) {
      const known = indexes.get(batch.id);
      const index = known ?? readIndex(pathsOf(batch, store));
      keep(batch.id, index);
      if (known === undefined) index.catch(() => indexes.delete(batch.id));
      return index;
    },
    set: (batchId, index) => keep(batchId, Promise.resolve(index)),
    forget: (batchId) => indexes.delete(batchId),
  };
}
