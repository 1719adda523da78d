import { type BatchStatus, finalStatuses } from "./batch-status.ts";

/** What a batch is judged by. */
export interface BatchEnd {
  readonly status: BatchStatus;
  readonly counts: { readonly total: number; readonly completed: number; readonly failed: number };
}

/** What became of a batch: its status, but for one that its service ended before any line ran. */
export type BatchOutcome = BatchStatus | "never_ran";

export function outcomeOf({ status, counts }: BatchEnd): BatchOutcome {
  const isUnasked = counts.total > 0 && counts.completed + counts.failed === 0;
  return status === "completed" && isUnasked ? "never_ran" : status;
}

/** Lines of a batch that has ended which were neither answered nor failed. */
export function countNeverRan({ status, counts }: BatchEnd): number {
  return finalStatuses.has(status) ? counts.total - counts.completed - counts.failed : 0;
}
