import {
  type BatchDetail,
  type BatchStatus,
  type BatchView,
  batchStatuses,
  batchStatusTable,
  describeKnownCost,
  finalStatuses,
  outcomeOf,
  sumKnownCosts,
} from "#contract";
import { formatCount, formatNumber } from "../../components/index.ts";

/** The stage of a batch that a status belongs to, for its colour. */
export type StatusTone = (typeof batchStatusTable)[BatchStatus]["tone"];

interface StatusLook {
  readonly word: string;
  readonly tone: StatusTone;
}

/** Lines without an answer that can be used, or that never ran. */
function countRest({ failed, damaged, neverRan, awaited }: BatchView["counts"]): number {
  return failed + damaged + neverRan + awaited;
}

/** The word and the tone of a batch: one that ended without an answer to each of its lines never looks like success. */
export function lookOfBatch({ status, counts }: Pick<BatchView, "status" | "counts">): StatusLook {
  const { total, completed, damaged, failed, awaited } = counts;
  const outcome = outcomeOf({ status, counts: { total, completed: completed + damaged, failed: failed + awaited } });
  if (outcome === "never_ran") return { word: "Never ran", tone: "warning" };
  const { word, tone } = batchStatusTable[outcome];
  const hasRest = !isUnderWay(status) && countRest(counts) > 0;
  return { word, tone: hasRest && tone !== "failed" ? "warning" : tone };
}

/** `4 results not there yet`: lines that a service counted as done, without their results; null for none. */
export function describeAwaited({ awaited }: Pick<BatchView["counts"], "awaited">): string | null {
  return awaited === 0 ? null : `${formatCount(awaited, "result")} not there yet`;
}

/** A status with what failed, what is damaged, what is not there yet and what never ran. */
export function describeStatus(word: string, counts: BatchView["counts"]): string {
  const { completed, failed, damaged, neverRan, awaited } = counts;
  const parts = [
    failed > 0 ? `${formatNumber(failed)} failed` : null,
    damaged > 0 ? `${formatNumber(damaged)} damaged` : null,
    describeAwaited(counts),
    neverRan > 0 && completed + failed + damaged + awaited > 0 ? `${formatNumber(neverRan)} never ran` : null,
  ];
  return [word, ...parts.filter((part) => part !== null)].join(", ");
}

/** Lines that have no answer yet. */
export type UnansweredLeft = Omit<BatchDetail["left"], "cut" | "empty" | "errors">;

/** A batch with what its retries have answered: `left` is what no batch of them answered, or still asks. */
export function withRetries(batch: BatchView, retries: readonly BatchView[], left: UnansweredLeft): BatchView {
  const retryGroup = [batch, ...retries];
  const running = retries.find(({ status }) => isUnderWay(status));
  const answered = retryGroup.reduce((sum, { counts }) => sum + counts.completed, 0);
  const { total } = batch.counts;
  const { damaged, neverRan, awaited, mayBePaid } = left;
  // Results that can't be read, or are gone, have failed.
  const failed = left.failed + mayBePaid - awaited;
  const unanswered = failed + damaged + neverRan + awaited;
  const isDone = running === undefined && unanswered === 0;
  return {
    ...batch,
    status: running?.status ?? (isDone ? "completed" : batch.status),
    waiting: running?.waiting ?? null,
    counts: {
      ...{ total, failed, damaged, neverRan, awaited },
      completed: running === undefined ? total - unanswered : Math.min(total, answered),
    },
    cost: sumKnownCosts(retryGroup.map(({ cost, counts, reused }) => ({ cost, asked: counts.completed - reused }))),
  };
}

/** The statuses in which something still happens to a batch. */
export const underWayStatuses = batchStatuses.filter((status) => !finalStatuses.has(status));

/** Whether something still happens to a batch in this status. */
export function isUnderWay(status: BatchStatus): boolean {
  return !finalStatuses.has(status);
}

/** Whether a cancel would be accepted (decisions.md, Batch states). */
export function canCancel({ status, isReadOnly }: Pick<BatchView, "status" | "isReadOnly">): boolean {
  return !isReadOnly && batchStatusTable[status].canBeCancelled;
}

/** Lines that were answered or failed, also where that is damaged since. */
export function countEnded({ counts }: Pick<BatchView, "counts">): number {
  return counts.completed + counts.failed + counts.damaged;
}

/** Lines that are done at its service, and not here yet. */
export function countThere({ counts, remote, status }: Pick<BatchView, "counts" | "remote" | "status">): number {
  if (!isUnderWay(status)) return 0;
  return Math.max(0, Math.min(remote?.done ?? 0, counts.total) - countEnded({ counts }));
}

/** What is done of it here and at its service, from 0 to 1; null while the number of lines is not known. */
export function shareEnded(batch: Pick<BatchView, "counts" | "remote" | "status">): number | null {
  const done = countEnded(batch) + countThere(batch);
  // A service that has counted nothing yet may not count before its end.
  if (batch.remote !== null && isUnderWay(batch.status) && done === 0) return null;
  return batch.counts.total === 0 ? null : done / batch.counts.total;
}

/** What its answers cost, with what keeps that from being exact, and where it is from; null where nothing is known. */
export function describeCost({ cost }: Pick<BatchView, "cost">): string | null {
  if (cost === null) return null;
  const notes = [
    cost.isCeiling ? "the service’s discount is uncertain" : null,
    cost.reported > 0 ? `${formatNumber(cost.reported)} as the service reports` : null,
    cost.isToday ? "at today’s prices, since none were kept with the batch" : null,
  ].filter((note) => note !== null);
  return [describeKnownCost(cost), ...notes].join("; ");
}

export interface RunningLines {
  readonly batches: number;
  readonly ended: number;
  readonly total: number;
}

/** All lines of all batches that are under way and don't wait. */
export function sumRunning(batches: readonly BatchView[]): RunningLines {
  const running = batches.filter(({ status, waiting }) => isUnderWay(status) && waiting === null);
  return {
    batches: running.length,
    ended: running.reduce((sum, batch) => sum + countEnded(batch), 0),
    total: running.reduce((sum, batch) => sum + batch.counts.total, 0),
  };
}

/** The models of a batch in one cell: the most frequent one, and how many more. */
export function describeModels(models: readonly string[]): string {
  const [first, ...others] = models;
  if (first === undefined) return "";
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** The batch that one is a retry of, where that is there. */
export function findRetried({ link }: BatchView, batches: readonly BatchView[]): BatchView | undefined {
  return link?.kind === "retry" ? batches.find(({ id }) => id === link.root) : undefined;
}

/** The batches of one submit to several models, the first one first. `batches` are newest first. */
export function listVersions({ id, link }: BatchView, batches: readonly BatchView[]): BatchView[] {
  const root = link?.kind === "version" ? link.root : id;
  return batches
    .filter((other) => other.id === root || (other.link?.kind === "version" && other.link.root === root))
    .reverse();
}
