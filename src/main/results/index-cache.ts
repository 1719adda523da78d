import { rm } from "node:fs/promises";
import { finalStatuses } from "#contract";
import type { Logger, Machine } from "#main/base";
import type { BatchRecord, Durability, StoredFolder } from "#main/storage";
import { noLedger, openLedger } from "#main/storage";
import { type BatchPaths, pathsOf } from "./batch-paths.ts";
import type { DamageRecords } from "./damaged-answers.ts";
import { createLineIndex, type LineIndex } from "./line-index.ts";
import { type OpenedIndex, openIndex } from "./open-index.ts";
import { type RequestLines, writeRequestLines } from "./request-lines.ts";

/** Indexes of ended batches that stay in memory. */
const mostIndexes = 16;
/** The longest that one stays unused, in milliseconds: that of a million lines takes 60 MB. */
const longestUnused = 120_000;

/** The line indexes of batches: those of running ones, and of ended ones that were looked at of late. */
export interface IndexCache {
  /** The index of a batch that has passed its check; read from its ledger when it is not in memory. */
  get(batch: BatchRecord): Promise<LineIndex>;
  /** The same with where the next entry of the ledger is written, for a batch that is to be continued. */
  open(batch: BatchRecord): Promise<OpenedIndex>;
  /** Makes the index of a batch that begins. */
  create(batchId: string, requests: RequestLines): LineIndex;
  /** Writes down where the requests of a batch are, so that its input need not be read again for that. */
  save(batch: BatchRecord): Promise<void>;
  forget(batchId: string): void;
  /** Resolves when nothing is read or written any more. */
  close(): Promise<void>;
  /** How far indexes are that are being read from the files of their batches, all together; null while none is. */
  building(): { readonly bytes: number; readonly size: number } | null;
}

interface IndexCacheDeps {
  /** All that can be read. */
  readonly store: StoredFolder;
  /** What is written is of these batches alone. */
  readonly own: Pick<StoredFolder, "batches">;
  readonly durability: Durability;
  /** What is known of damaged answers; default: it is not kept. */
  readonly damage?: Pick<DamageRecords, "follow" | "forget">;
  readonly machine: Machine;
  readonly logger: Logger;
}

export function createIndexCache({ store, own, durability, damage, machine, logger }: IndexCacheDeps): IndexCache {
  /** The longest unused first. */
  const indexes = new Map<string, Promise<OpenedIndex>>();
  const reading = new Set<Promise<OpenedIndex>>();
  const builds = new Set<{ bytes: number; size: number }>();
  const usedAt = new Map<string, number>();
  let cancelSweep: (() => void) | null = null;

  /** Drops the indexes of ended batches that were not used for a while: they take memory. */
  function planSweep(): void {
    cancelSweep ??= machine.after(
      longestUnused,
      () => {
        cancelSweep = null;
        for (const [id, opened] of indexes) {
          const idle = machine.monotonic() - (usedAt.get(id) ?? 0);
          if (idle >= longestUnused && !isNeeded(id, opened)) remove(id);
        }
        if (indexes.size > 0) planSweep();
      },
      { unref: true },
    );
  }

  function remove(batchId: string): void {
    indexes.delete(batchId);
    usedAt.delete(batchId);
  }

  function insert(batchId: string, opened: Promise<OpenedIndex>): void {
    indexes.delete(batchId);
    indexes.set(batchId, opened);
    usedAt.set(batchId, machine.monotonic());
    planSweep();
    let left = indexes.size - mostIndexes;
    for (const [id, one] of indexes) {
      if (left <= 0) break;
      if (isNeeded(id, one)) continue;
      remove(id);
      left -= 1;
    }
  }

  function isRunning(batchId: string): boolean {
    const batch = store.batches.get(batchId);
    return batch !== undefined && !finalStatuses.has(batch.status);
  }

  /** Of one that is being read a second reading would enter in the ledger what the first one does. */
  function isNeeded(batchId: string, opened: Promise<OpenedIndex>): boolean {
    return isRunning(batchId) || reading.has(opened);
  }

  async function read(batch: BatchRecord): Promise<OpenedIndex> {
    const paths = pathsOf(batch, store);
    const isOwn = own.batches.get(batch.id) !== undefined;
    const progress = { bytes: 0, size: 0 };
    builds.add(progress);
    const report = (bytes: number, size: number) => Object.assign(progress, { bytes, size });
    const opening = openIndex(paths, isOwn && isRunning(batch.id), report);
    const opened = await opening.finally(() => builds.delete(progress));
    damage?.follow(batch.id, opened.index);
    if (isOwn && opened.isScanned) await write(batch, opened.index);
    return isOwn && !isRunning(batch.id) ? await complete(paths, opened) : opened;
  }

  async function write(batch: BatchRecord, { columns }: LineIndex): Promise<void> {
    try {
      const [path, input] = [store.indexOf(batch.id), store.pathOf(batch.inputFileId)];
      const { requestStarts: starts, requestChecksums: checksums } = columns;
      await writeRequestLines(path, input, { starts, checksums }, durability);
    } catch (error) {
      logger.warn("The index of a batch can't be written", { batch: batch.id, error: String(error) });
    }
  }

  /** Enters what the ledger of an ended batch lacks. Without that it is read from the files of the batch again. */
  async function complete(paths: BatchPaths, opened: OpenedIndex): Promise<OpenedIndex> {
    if (opened.missing.length === 0) return opened;
    try {
      const ledger = openLedger(paths.ledger, opened.ledger, { durability, machine, logger });
      try {
        ledger.append(opened.missing);
      } finally {
        await ledger.close();
      }
      await rm(paths.timings, { force: true });
    } catch (error) {
      logger.warn("The ledger of a batch can't be written", { batch: paths.ledger.batch, error: String(error) });
    }
    return { ...opened, missing: [] };
  }

  function track(opening: Promise<OpenedIndex>): Promise<OpenedIndex> {
    reading.add(opening);
    opening.then(
      () => reading.delete(opening),
      () => reading.delete(opening),
    );
    return opening;
  }

  function open(batch: BatchRecord): Promise<OpenedIndex> {
    const known = indexes.get(batch.id);
    const opened = known ?? track(read(batch));
    insert(batch.id, opened);
    if (known === undefined) {
      opened.catch(() => {
        if (indexes.get(batch.id) === opened) remove(batch.id);
      });
    }
    return opened;
  }

  return {
    open,
    get: async (batch) => (await open(batch)).index,
    create(batchId, { starts, checksums }) {
      const index = createLineIndex(starts, checksums);
      damage?.follow(batchId, index);
      insert(
        batchId,
        Promise.resolve({
          index,
          ledger: noLedger,
          isScanned: false,
          supersededEnds: { output: 0, error: 0 },
          missing: [],
        }),
      );
      return index;
    },
    async save(batch) {
      const opened = await indexes.get(batch.id);
      if (opened !== undefined) await write(batch, opened.index);
    },
    forget(batchId) {
      remove(batchId);
      damage?.forget(batchId);
    },
    async close() {
      cancelSweep?.();
      await Promise.allSettled([...reading]);
    },
    building() {
      if (builds.size === 0) return null;
      const sum = (part: "bytes" | "size") => [...builds].reduce((total, one) => total + one[part], 0);
      return { bytes: sum("bytes"), size: sum("size") };
    },
  };
}

/** The index of a batch that has ended, without a word kept of it: its folder may be another process's. */
export async function readIndex(paths: BatchPaths): Promise<LineIndex> {
  return (await openIndex(paths, false)).index;
}
