import { stat } from "node:fs/promises";
import { finalStatuses } from "#contract";
import type { BatchRecord, Store, StoredFolder } from "#main/storage";
import { pathsOf } from "./batch-paths.ts";
import type { DamagedAnswers, LineIndex } from "./line-index.ts";
import { readAnswers } from "./read-lines.ts";

/** Which answers of batches are known to be damaged on disk: by any read of them, or because all were compared. */
export interface DamageRecords {
  /** Of one batch, as far as is known. */
  count(batch: BatchRecord): DamagedAnswers;
  /**
   * Compares all answers of a batch that has ended with their checksums; once until the next start, or `isAnew`. Rejects where
   * they can't be read: that says nothing of them.
   */
  compareAll(batch: BatchRecord, isAnew?: boolean): Promise<void>;
  /**
   * Compares the answers of ended batches that nobody has opened yet. It begins with batches whose answer files are missing or
   * have another size. The newest of the others follow, until 64 MB are compared. Batches that can't be read are skipped.
   */
  compareSome(): Promise<void>;
  /** Follows an index that was opened: what is known of its batch is entered, what is found in it is counted. */
  follow(batchId: string, index: LineIndex): void;
  /** Drops what is known of a batch in memory: it is removed, or its files are others. */
  forget(batchId: string): void;
  /** Calls the listener when the count of a batch has changed. Returns a function that stops it. */
  subscribe(listener: (batchId: string) => void): () => void;
  /** Resolves when nothing is compared any more. */
  close(): Promise<void>;
}

interface Known {
  readonly lines: Set<number>;
  counts: DamagedAnswers;
  /** Whether all answers are compared, or are being compared. */
  comparing: Promise<void> | null;
  isCompared: boolean;
  /** Whether a change is on its way to the listeners. */
  isTelling: boolean;
}

/** Answers that are compared at a time have at most so many bytes, but for a longer one. */
const stepBytes = 1024 * 1024;
const smallestLine = 64;
const none: DamagedAnswers = { output: 0, error: 0 };

/** Most bytes of answers that `compareSome` compares in batches whose files have their length. */
const soonCompared = 64 * 1024 * 1024;

interface DamageDeps {
  /** With the batches of other folders. */
  readonly readable: StoredFolder;
  readonly store: Pick<Store, "batches" | "files" | "pathOf" | "disk">;
  readonly openIndex: (batch: BatchRecord) => Promise<LineIndex>;
}

/** The counts of the store's own ended batches are kept in their records, so that lists have them after a restart. */
export function createDamageRecords({ readable, store, openIndex }: DamageDeps): DamageRecords {
  const known = new Map<string, Known>();
  const listeners = new Set<(batchId: string) => void>();
  let isClosed = false;

  function knownOf(batchId: string): Known {
    const before = known.get(batchId);
    if (before !== undefined) return before;
    const made = { lines: new Set<number>(), counts: none, comparing: null, isCompared: false, isTelling: false };
    known.set(batchId, made);
    return made;
  }

  function count(batch: BatchRecord): DamagedAnswers {
    const found = known.get(batch.id);
    if (found?.isCompared) return found.counts;
    const before = batch.damaged ?? none;
    const now = found?.counts ?? none;
    return { output: Math.max(before.output, now.output), error: Math.max(before.error, now.error) };
  }

  /** One page of results may find many at once: they are told as one change. */
  function planTell(batchId: string): void {
    const found = known.get(batchId);
    if (found === undefined || found.isTelling || (found.comparing !== null && !found.isCompared)) return;
    found.isTelling = true;
    queueMicrotask(() => {
      found.isTelling = false;
      if (isClosed) return;
      keep(batchId);
      for (const listener of listeners) listener(batchId);
    });
  }

  function keep(batchId: string): void {
    const batch = store.batches.get(batchId);
    if (batch === undefined || !finalStatuses.has(batch.status)) return;
    const { output, error } = count(batch);
    const before = batch.damaged ?? none;
    if (before.output === output && before.error === error) return;
    const damaged = output + error === 0 ? null : { output, error };
    try {
      store.batches.put({ ...batch, damaged });
    } catch (failure) {
      // The disk does not take it: it is found again.
      store.disk.report(failure);
      store.batches.setWithoutJournal({ ...batch, damaged });
    }
  }

  async function compare(batch: BatchRecord, found: Known): Promise<void> {
    const index = await openIndex(batch);
    const paths = pathsOf(batch, readable);
    for (let from = 1; from <= index.total && !isClosed; ) {
      const lines: number[] = [];
      for (let bytes = 0; from <= index.total && bytes < stepBytes; from++) {
        bytes += smallestLine + (index.answer(from)?.length ?? 0);
        lines.push(from);
      }
      await readAnswers(paths, index, lines);
    }
    found.isCompared = !isClosed;
    planTell(batch.id);
  }

  function compareAll(batch: BatchRecord, isAnew = false): Promise<void> {
    const found = knownOf(batch.id);
    if (found.comparing !== null && !(isAnew && found.isCompared)) return found.comparing;
    const comparing = compare(batch, found);
    found.comparing = comparing;
    comparing.catch(() => {
      found.comparing = null;
      planTell(batch.id);
    });
    return comparing;
  }

  /** The bytes of its answers, and whether its files have another length. */
  async function measureFiles({ outputFileId, errorFileId }: BatchRecord) {
    let [bytes, isAmiss] = [0, false];
    for (const id of [outputFileId, errorFileId]) {
      const file = id === null ? undefined : store.files.get(id);
      if (file === undefined) continue;
      bytes += file.bytes;
      const about = await stat(store.pathOf(file.id)).catch(() => null);
      isAmiss ||= about?.size !== file.bytes;
    }
    return { bytes, isAmiss };
  }

  return {
    count,
    compareAll,
    async compareSome() {
      const ended = store.batches.list().filter(({ status, counts }) => finalStatuses.has(status) && counts.total > 0);
      const newest = ended.sort((a, b) => b.times.created - a.times.created);
      const sound: { readonly batch: BatchRecord; readonly bytes: number }[] = [];
      for (const batch of newest) {
        if (isClosed) return;
        const { bytes, isAmiss } = await measureFiles(batch);
        if (isAmiss) await compareAll(batch).catch(() => {});
        else sound.push({ batch, bytes });
      }
      let left = soonCompared;
      for (const { batch, bytes } of sound) {
        if (isClosed) return;
        if (bytes > left) continue;
        left -= bytes;
        await compareAll(batch).catch(() => {});
      }
    },
    follow(batchId, index) {
      for (const line of known.get(batchId)?.lines ?? []) index.markDamaged(line);
      const counts = index.countDamaged();
      if (counts.output + counts.error > 0) {
        knownOf(batchId).counts = counts;
        planTell(batchId);
      }
      index.onDamaged((line, file) => {
        const found = knownOf(batchId);
        found.lines.add(line);
        found.counts = { ...found.counts, [file]: found.counts[file] + 1 };
        planTell(batchId);
      });
    },
    forget: (batchId) => void known.delete(batchId),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([...known.values()].map(({ comparing }) => comparing));
    },
  };
}
