import { z } from "zod";

/** What a status is, for everything that has to tell one from another. */
interface StatusRow {
  /** As people read it; the wire's own word is in the tooltip. */
  readonly word: string;
  /** The stage that it belongs to, for its colour. */
  readonly tone: "active" | "done" | "failed" | "warning" | "quiet";
  /** Whether a batch never leaves it. */
  readonly isFinal: boolean;
  /** Whether a cancel is accepted (decisions.md, Batch states). */
  readonly canBeCancelled: boolean;
  /** What enters it sets this time of the batch. */
  readonly time: string;
}

/**
 * Every status a batch can have, in the order in which lists and filters name them: what is under way first. A new one is a
 * row here; the types then ask for its transitions, its place among a batch's steps and its icon.
 */
export const batchStatusTable = {
  validating: { word: "Checking", tone: "active", isFinal: false, canBeCancelled: true, time: "created" },
  in_progress: { word: "Running", tone: "active", isFinal: false, canBeCancelled: true, time: "inProgress" },
  finalizing: { word: "Wrapping up", tone: "active", isFinal: false, canBeCancelled: false, time: "finalizing" },
  cancelling: { word: "Cancelling", tone: "warning", isFinal: false, canBeCancelled: false, time: "cancelling" },
  completed: { word: "Done", tone: "done", isFinal: true, canBeCancelled: false, time: "completed" },
  failed: { word: "Failed", tone: "failed", isFinal: true, canBeCancelled: false, time: "failed" },
  expired: { word: "Expired", tone: "warning", isFinal: true, canBeCancelled: false, time: "expired" },
  cancelled: { word: "Cancelled", tone: "quiet", isFinal: true, canBeCancelled: false, time: "cancelled" },
} as const satisfies Readonly<Record<string, StatusRow>>;

export type BatchStatus = keyof typeof batchStatusTable;
export const batchStatuses = Object.keys(batchStatusTable) as BatchStatus[];
export const batchStatusSchema = z.enum(batchStatuses);

/** The statuses that a batch never leaves. */
export const finalStatuses: ReadonlySet<BatchStatus> = new Set(
  batchStatuses.filter((status) => batchStatusTable[status].isFinal),
);
