import { type AnswerEnd, finalStatuses, isLastingError, type RetryChoice } from "#contract";
import type { BatchRecord, StoredFolder } from "#main/storage";
import { pathsOf } from "./batch-paths.ts";
import type { IndexCache } from "./index-cache.ts";
import type { LineIndex } from "./line-index.ts";
import { createLruCache } from "./lru-cache.ts";
import { readCustomIds } from "./read-lines.ts";

/** A line of a batch: the root is batch 0, its retries count from 1, the oldest first. Lines count from 1. */
export interface Attempt {
  readonly batch: number;
  readonly line: number;
}

/** What became of a line, from the least telling to the most; `none` where the lines of a batch are not known. */
export const attemptStates = [
  "none",
  "waiting",
  "skipped",
  "damaged",
  "failed",
  "may_be_paid",
  "awaited",
  "answered",
] as const;
export type AttemptState = (typeof attemptStates)[number];

/** The attempts at the lines of a root that were asked again, by line: the newest first, that of the root last. */
export type Attempts = ReadonlyMap<number, readonly Attempt[]>;

/** The lines of a root with the lines of its retries: one view of many batches, in which each custom_id is once. */
export interface MergedLines {
  /** The root first, then its retries, the oldest first. */
  readonly batches: readonly BatchRecord[];
  /** Null for a batch whose lines are not known: it is still being checked, or was refused. */
  readonly indexes: readonly (LineIndex | null)[];
  readonly total: number;
  /** The attempts at a line of the root, the newest first. */
  attempts(line: number): readonly Attempt[];
  /** Where the best outcome of a line of the root is by now: the newest answer, else the newest of what else resulted from it. */
  place(line: number): Attempt;
  stateOf(attempt: Attempt): AttemptState;
  /** How its answer ended; null where it has none. */
  endOf(attempt: Attempt): AnswerEnd | null;
  /** The code of its error; empty where it has none. */
  errorOf(attempt: Attempt): string;
  /** Whether a batch that has not ended may still answer the line. */
  isUnderWay(line: number): boolean;
  /** Whether an attempt since the newest answer, or any where there is no answer, may be paid. */
  mayBePaid(line: number): boolean;
}

/** The attempt that counts: an answer before a failure before a line that never ran, of equals the newest. */
export function chooseAttempt(newestFirst: readonly Attempt[], stateOf: (attempt: Attempt) => AttemptState): Attempt {
  const [first] = newestFirst;
  if (first === undefined) throw new Error("A line without an attempt.");
  const rank = (attempt: Attempt) => attemptStates.indexOf(stateOf(attempt));
  return newestFirst.reduce((best, other) => (rank(other) > rank(best) ? other : best), first);
}

/** Collects the attempts at the lines of a root: first the requests of its retries are added, then those of the root. */
export function createAttemptMatcher() {
  /** By custom_id, the newest first. */
  const again = new Map<string, Attempt[]>();
  const attempts = new Map<number, readonly Attempt[]>();
  return {
    addRetryLine(customId: string, attempt: Attempt): void {
      again.set(customId, [attempt, ...(again.get(customId) ?? [])]);
    },
    addRootLine(customId: string, line: number): void {
      const later = again.get(customId);
      if (later !== undefined) attempts.set(line, [...later, { batch: 0, line }]);
    },
    attempts: attempts as Attempts,
  };
}

/** Roots whose attempts stay in memory. */
const mostInMemory = 8;

/** The retries of a batch that have not been deleted, the oldest first. */
export function listRetries(store: StoredFolder, rootId: string): BatchRecord[] {
  return store.batches
    .list()
    .filter(({ link }) => link?.kind === "retry" && link.root === rootId)
    .reverse();
}

/** The batch that a retry began with; of any other it is the batch itself. */
export function rootOf(batch: BatchRecord, store: StoredFolder): BatchRecord {
  return (batch.link?.kind === "retry" && store.batches.get(batch.link.root)) || batch;
}

/** What lines are asked again for, apart from those that are named. */
export type RetryableKind = Exclude<RetryChoice, "lines"> | "damaged" | "awaited";

/** Lines that are asked again together: what is damaged on disk was answered, but has no answer any more. */
const retryable: Readonly<Record<RetryableKind, (attempt: Attempt, group: MergedLines) => boolean>> = {
  failed: (at, group) => isDamaged(at, group) || (hasFailed(at, group) && !isLastingError(group.errorOf(at))),
  refused: (at, group) => hasFailed(at, group) && isLastingError(group.errorOf(at)),
  damaged: isDamaged,
  may_be_paid: (at, group) => group.stateOf(at) === "may_be_paid" || group.stateOf(at) === "awaited",
  awaited: (at, group) => group.stateOf(at) === "awaited",
  never_ran: (at, group) => group.stateOf(at) === "skipped",
  cut: (at, group) => group.stateOf(at) === "answered" && group.endOf(at) === "cut",
  empty: (at, group) => group.stateOf(at) === "answered" && group.endOf(at) === "empty",
};

function isDamaged(attempt: Attempt, group: MergedLines): boolean {
  return group.stateOf(attempt) === "damaged";
}

function hasFailed(attempt: Attempt, group: MergedLines): boolean {
  return group.stateOf(attempt) === "failed";
}

interface RetryableLine {
  readonly line: number;
  /** Where its best outcome is. */
  readonly place: Attempt;
  readonly isUnderWay: boolean;
  /** Whether one of its attempts may be paid that its best outcome did not follow. */
  readonly mayBePaid: boolean;
}

/** The lines of one batch of a retry group, by its own count, with those of the root that they are. */
export function listRootLines(retryGroup: MergedLines, batchId: string): ReadonlyMap<number, number> {
  const at = retryGroup.batches.findIndex(({ id }) => id === batchId);
  const lines = new Map<number, number>();
  for (let line = 1; line <= retryGroup.total; line++) {
    const own = retryGroup.attempts(line).find((attempt) => attempt.batch === at);
    if (own !== undefined) lines.set(own.line, line);
  }
  return lines;
}

/** The lines of one batch of a retry group, by its own count, of which nothing better has come in any of them. */
export function listRetryable(retryGroup: MergedLines, batchId: string, kind: RetryableKind): RetryableLine[] {
  const at = retryGroup.batches.findIndex(({ id }) => id === batchId);
  const left: RetryableLine[] = [];
  for (let line = 1; line <= retryGroup.total; line++) {
    const place = retryGroup.place(line);
    if (!retryable[kind](place, retryGroup)) continue;
    const own = retryGroup.attempts(line).find((attempt) => attempt.batch === at);
    if (own === undefined) continue;
    const [isUnderWay, mayBePaid] = [retryGroup.isUnderWay(line), retryGroup.mayBePaid(line)];
    left.push({ line: own.line, place, isUnderWay, mayBePaid });
  }
  return left;
}

export interface MergedBatches {
  /** The lines of a root as they are with its retries. It follows the batches while they run; a new retry is not in it. */
  get(root: BatchRecord): Promise<MergedLines>;
}

/** Reads which lines were asked again once for each set of retries: the requests of a batch never change. */
export function createMergedBatches(store: StoredFolder, indexes: IndexCache): MergedBatches {
  const known = createLruCache<Promise<Attempts>>(mostInMemory);

  function findAttempts(batches: readonly BatchRecord[], opened: readonly (LineIndex | null)[]): Promise<Attempts> {
    const key = batches.map(({ id }) => id).join(" ");
    const found = known.get(key);
    if (found !== undefined) return found;
    const reading = readAttempts(batches, opened, store);
    reading.catch(() => known.delete(key));
    return known.set(key, reading);
  }

  return {
    async get(root) {
      const batches = [root, ...listRetries(store, root.id)];
      const opened = await Promise.all(batches.map((batch) => (batch.counts.total === 0 ? null : indexes.get(batch))));
      const attempts = await findAttempts(batches, opened);
      return mergeLines(batches, opened, attempts, (id) => {
        const status = store.batches.get(id)?.status;
        return status !== undefined && !finalStatuses.has(status);
      });
    },
  };
}

function mergeLines(
  batches: readonly BatchRecord[],
  indexes: readonly (LineIndex | null)[],
  attempts: Attempts,
  isRunning: (batchId: string) => boolean,
): MergedLines {
  const attemptsAt = (line: number): readonly Attempt[] => attempts.get(line) ?? [{ batch: 0, line }];

  function stateOf({ batch, line }: Attempt): AttemptState {
    const index = indexes[batch] ?? null;
    if (index === null) return "none";
    const answer = index.answer(line);
    if (answer === null) return "waiting";
    if (answer.damaged) return "damaged";
    if (answer.file === "output") return "answered";
    if (answer.skipped) return "skipped";
    if (index.isAwaited(line)) return "awaited";
    return index.mayBePaid(line) ? "may_be_paid" : "failed";
  }

  const place = (line: number) => chooseAttempt(attemptsAt(line), stateOf);

  return {
    batches,
    indexes,
    total: indexes[0]?.total ?? 0,
    attempts: attemptsAt,
    place,
    stateOf,
    endOf: ({ batch, line }) => indexes[batch]?.columns.facts(line - 1).end ?? null,
    errorOf: ({ batch, line }) => indexes[batch]?.columns.facts(line - 1).errorCode ?? "",
    isUnderWay: (line) =>
      attemptsAt(line).some((attempt) => {
        const state = stateOf(attempt);
        return (state === "waiting" || state === "none") && isRunning(batches[attempt.batch]?.id ?? "");
      }),
    mayBePaid(line) {
      const best = place(line);
      const isAnswered = stateOf(best) === "answered";
      return attemptsAt(line).some((attempt) => {
        if (isAnswered && attempt.batch <= best.batch) return false;
        const state = stateOf(attempt);
        return state === "awaited" || state === "may_be_paid";
      });
    },
  };
}

async function readAttempts(
  batches: readonly BatchRecord[],
  indexes: readonly (LineIndex | null)[],
  store: StoredFolder,
): Promise<Attempts> {
  const matcher = createAttemptMatcher();
  const [root, ...retries] = batches.map((batch) => pathsOf(batch, store));
  for (const [at, paths] of retries.entries()) {
    const add = (customId: string, line: number) => matcher.addRetryLine(customId, { batch: at + 1, line });
    await readCustomIds(paths, indexes[at + 1] ?? null, add);
  }
  if (root !== undefined && retries.length > 0) await readCustomIds(root, indexes[0] ?? null, matcher.addRootLine);
  return matcher.attempts;
}
