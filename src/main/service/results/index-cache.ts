import { finalStatuses } from "#contract";
import type { Logger } from "../ports.ts";
import type { BatchRecord, StoredFolder } from "../store/index.ts";
import { type BatchPaths, pathsOf } from "./batch-paths.ts";
import { type BuildIndex, buildIndex } from "./build-index.ts";
import { readIndexFile, writeIndexFile } from "./index-file.ts";
import type { LineIndex } from "./line-index.ts";

/** Indexes of ended batches that stay in memory. */
const mostIndexes = 16;

/** The line indexes of batches: those of running ones, and of ended ones that were looked at of late. */
export interface IndexCache {
  /** The index of a batch that has passed its check; read from its files when it is not in memory. */
  get(batch: BatchRecord): Promise<LineIndex>;
  set(batchId: string, index: LineIndex): void;
  /** Writes the index of a batch that has ended to disk, so that it need not be read from its files again. */
  save(batch: BatchRecord): Promise<void>;
  forget(batchId: string): void;
  /** How far indexes are that are being read from the files of their batches, all together; null while none is. */
  building(): { readonly bytes: number; readonly size: number } | null;
}

export function createIndexCache(store: StoredFolder, build: BuildIndex, logger: Logger): IndexCache {
  /** The longest unused first. */
  const indexes = new Map<string, Promise<LineIndex>>();
  const builds = new Set<{ bytes: number; size: number }>();

  function insert(batchId: string, index: Promise<LineIndex>): void {
    indexes.delete(batchId);
    indexes.set(batchId, index);
    let left = indexes.size - mostIndexes;
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

  async function open(batch: BatchRecord): Promise<LineIndex> {
    const paths = pathsOf(batch, store);
    const stored = isRunning(batch.id) ? null : await readIndexFile(paths);
    if (stored !== null) return stored;
    const progress = { bytes: 0, size: 0 };
    builds.add(progress);
    const building = build(paths, (bytes, size) => Object.assign(progress, { bytes, size }));
    const index = await building.finally(() => builds.delete(progress));
    if (!isRunning(batch.id)) await write(batch, index);
    return index;
  }

  /** Without the file, the index is read from the files of its batch again. */
  async function write(batch: BatchRecord, index: LineIndex): Promise<void> {
    try {
      await writeIndexFile(pathsOf(batch, store), index);
    } catch (error) {
      logger.warn("The index of a batch can't be written", { batch: batch.id, error: String(error) });
    }
  }

  return {
    get(batch) {
      const known = indexes.get(batch.id);
      const index = known ?? open(batch);
      insert(batch.id, index);
      if (known === undefined) index.catch(() => indexes.delete(batch.id));
      return index;
    },
    set: (batchId, index) => insert(batchId, Promise.resolve(index)),
    async save(batch) {
      const index = await indexes.get(batch.id);
      if (index !== undefined) await write(batch, index);
    },
    forget: (batchId) => indexes.delete(batchId),
    building() {
      if (builds.size === 0) return null;
      const sum = (part: "bytes" | "size") => [...builds].reduce((total, one) => total + one[part], 0);
      return { bytes: sum("bytes"), size: sum("size") };
    },
  };
}

/** The index of a batch that has ended, without a word kept of it: its folder may be another process's. */
export async function readIndex(paths: BatchPaths): Promise<LineIndex> {
  return (await readIndexFile(paths)) ?? (await buildIndex(paths, () => undefined));
}
