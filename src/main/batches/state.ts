import { type BatchStatus, batchStatusTable, type EndCounts, finalStatuses, type Problem } from "#contract";
import type { BatchRecord, BatchTimes } from "#main/storage";

/** What takes a batch to its next status. */
export type Transition =
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

/** What else changes the record of a batch that runs. Status, times, counts and end have events of their own. */
type Note =
  | { readonly type: "counted"; readonly total: number }
  | { readonly type: "answered"; readonly counts: AnswerCounts }
  /** All its answers are in closed files. */
  | { readonly type: "written"; readonly usage: BatchRecord["usage"] }
  /** The time has come that its window ends; `window_closed` follows when what never ran is recorded. */
  | { readonly type: "window_ended" }
  /** Its window ends now, before its time. */
  | { readonly type: "window_cut" }
  | { readonly type: "deadline_set"; readonly deadline: number | null }
  /** Its user has decided about an unclear batch. */
  | { readonly type: "decided" }
  /** A lasting note is acted on: it is in the journal before. */
  | { readonly type: "noted"; readonly change: NotedFields; readonly isLasting: boolean };

/** What a run notes of itself. */
export type NotedFields = Partial<
  Pick<BatchRecord, "remote" | "notice" | "reused" | "copied" | "answeredAs" | "lineTries">
>;

/** What can happen to the record of a batch. */
export type RecordEvent = Transition | Note;

/** Where each event leads from a status; those that are not there can't happen in it (decisions.md, Batch states). */
const transitions: Readonly<Record<BatchStatus, Partial<Record<Transition["type"], BatchStatus>>>> = {
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
export function nextStatus(status: BatchStatus, event: Transition["type"]): BatchStatus | null {
  return transitions[status][event] ?? null;
}

/** The batch after an event at `at` (Unix milliseconds). Throws where it can't happen: that is a fault of the caller. */
export function applyEvent(batch: BatchRecord, event: RecordEvent, at: number): BatchRecord {
  switch (event.type) {
    case "counted":
      return { ...batch, counts: { total: event.total, completed: 0, failed: 0 } };
    case "answered":
      return withAnswers(batch, event.counts);
    case "written":
      return { ...batch, usage: event.usage, lineTries: null };
    case "window_ended":
      return { ...batch, endedBy: "expiry" };
    case "window_cut":
      return { ...batch, endedBy: "expiry", times: { ...batch.times, expires: at } };
    case "deadline_set":
      return { ...batch, deadline: event.deadline };
    case "decided":
      return { ...batch, unclear: false };
    case "noted":
      return { ...batch, ...event.change };
    default:
      return enterStatus(batch, event, at);
  }
}

function enterStatus(batch: BatchRecord, event: Transition, at: number): BatchRecord {
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
      return { ...next, endedBy: event.by, unclear: false };
    case "rejected":
      return { ...next, problems: event.problems };
    default:
      return next;
  }
}

/** Whether the window of a batch has ended, and that is not recorded yet. */
export function isExpiring({ endedBy, status }: BatchRecord): boolean {
  return endedBy === "expiry" && !finalStatuses.has(status);
}

/** Whether a service elsewhere has lines of it, which it may have answered: also those of a cancelled batch are fetched. */
export function hasOpenRemoteParts({ remote }: BatchRecord): boolean {
  return remote?.some(({ isFetched, sentAt }) => !isFetched && sentAt !== null) ?? false;
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
