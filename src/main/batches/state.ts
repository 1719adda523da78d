import { type BatchStatus, batchStatusTable, type EndCounts, type Problem } from "#contract";
import type { BatchRecord, BatchTimes } from "#main/storage";

/** What can happen to a batch. */
export type BatchEvent =
  | {
      readonly type: "checked";
      readonly total: number;
      readonly models: readonly string[];
      readonly prices?: string | null;
    }
  | { readonly type: "rejected"; readonly problems: readonly Problem[] }
  | { readonly type: "all_answered" }
  | { readonly type: "finalized" }
  | { readonly type: "cancel_requested"; readonly by: "user" | "deadline" }
  | { readonly type: "stopped" }
  | { readonly type: "window_closed" };

/** Where each event leads from a status; those that are not there can't happen in it (decisions.md, Batch states). */
const transitions: Readonly<Record<BatchStatus, Partial<Record<BatchEvent["type"], BatchStatus>>>> = {
  validating: { checked: "in_progress", rejected: "failed", cancel_requested: "cancelling", window_closed: "expired" },
  in_progress: { all_answered: "finalizing", cancel_requested: "cancelling", window_closed: "expired" },
  finalizing: { finalized: "completed" },
  cancelling: { stopped: "cancelled" },
  completed: {},
  failed: {},
  expired: {},
  cancelled: {},
};

/** The time that a status sets when it is entered. */
const timeOf = (status: BatchStatus): keyof BatchTimes => batchStatusTable[status].time;

/** The status after an event; null where the event can't happen. */
export function nextStatus(status: BatchStatus, event: BatchEvent["type"]): BatchStatus | null {
  return transitions[status][event] ?? null;
}

/** The batch after an event at `at` (Unix milliseconds). Throws where it can't happen: that is a fault of the caller. */
export function applyEvent(batch: BatchRecord, event: BatchEvent, at: number): BatchRecord {
  const status = nextStatus(batch.status, event.type);
  if (status === null) throw new Error(`A batch with status ${batch.status} can't take the event ${event.type}.`);
  const next = { ...batch, status, times: { ...batch.times, [timeOf(status)]: momentOf(batch.times, status, at) } };
  switch (event.type) {
    case "checked":
      return {
        ...next,
        models: event.models,
        prices: event.prices ?? null,
        counts: { total: event.total, completed: 0, failed: 0 },
      };
    case "cancel_requested":
      return { ...next, endedBy: event.by };
    case "rejected":
      return { ...next, problems: event.problems };
    default:
      return next;
  }
}

/** A clock may be set back: no time is earlier than the one before, and none expires before its window ends. */
function momentOf({ expires, ...entered }: BatchTimes, status: BatchStatus, at: number): number {
  const before = Object.values(entered).filter((time) => time !== null);
  return Math.max(at, ...before, ...(status === "expired" ? [expires] : []));
}

/** How many lines of a batch were answered so far, well or with an error, and how. */
export interface AnswerCounts {
  readonly completed: number;
  readonly failed: number;
  /** Of both: those that took an answer that was there already. */
  readonly reused: number;
  /** Of those that failed, how many await their result. */
  readonly awaited?: number;
  /** How the completed ones ended. */
  readonly ends: EndCounts;
}

export function withAnswers(
  batch: BatchRecord,
  { completed, failed, reused, awaited = 0, ends }: AnswerCounts,
): BatchRecord {
  const { total } = batch.counts;
  if (completed + failed > total)
    throw new Error(`A batch of ${total} lines can't have ${completed + failed} answers.`);
  const counts = { total, completed, failed, ...(reused > 0 && { reused }), ...(awaited > 0 && { awaited }) };
  return { ...batch, counts, ends: completed === 0 ? null : { ...ends } };
}
