import { type BatchStatus, finalStatuses } from "#contract";

/** Where a status stands in a batch's life, for its colour. */
export type StatusTone = "active" | "done" | "failed" | "warning" | "quiet";

interface StatusLook {
  readonly word: string;
  readonly tone: StatusTone;
}

const looks: Record<BatchStatus, StatusLook> = {
  validating: { word: "Checking", tone: "active" },
  in_progress: { word: "Running", tone: "active" },
  finalizing: { word: "Wrapping up", tone: "active" },
  completed: { word: "Done", tone: "done" },
  failed: { word: "Failed", tone: "failed" },
  expired: { word: "Expired", tone: "warning" },
  cancelling: { word: "Cancelling", tone: "warning" },
  cancelled: { word: "Cancelled", tone: "quiet" },
};

/** The word and the tone of a status. */
export function lookOf(status: BatchStatus): StatusLook {
  return looks[status];
}

/** Statuses in the order in which the filter lists them: what is under way first. */
export const statusOrder: readonly BatchStatus[] = [
  "validating",
  "in_progress",
  "finalizing",
  "cancelling",
  "completed",
  "failed",
  "expired",
  "cancelled",
];

/** The statuses in which something still happens to a batch. */
export const underWayStatuses = statusOrder.filter((status) => !finalStatuses.has(status));

/** Whether something still happens to a batch in this status. */
export function isUnderWay(status: BatchStatus): boolean {
  return !finalStatuses.has(status);
}

/** Whether a cancel would be taken (decisions.md, Batch states). */
export function canCancel(status: BatchStatus): boolean {
  return status === "validating" || status === "in_progress";
}
