import type { BatchView } from "#contract";
import { isUnderWay } from "./status.ts";

/** Lines that have come to something, answered or failed. */
export function countEnded({ counts }: Pick<BatchView, "counts">): number {
  return counts.completed + counts.failed;
}

/** From 0 to 1; null while how many lines there are is not known. */
export function shareEnded(batch: Pick<BatchView, "counts">): number | null {
  return batch.counts.total === 0 ? null : countEnded(batch) / batch.counts.total;
}

export interface RunningLines {
  readonly batches: number;
  readonly ended: number;
  readonly total: number;
}

/** All lines of all batches that are under way. */
export function sumRunning(batches: readonly BatchView[]): RunningLines {
  const running = batches.filter(({ status }) => isUnderWay(status));
  return {
    batches: running.length,
    ended: running.reduce((sum, batch) => sum + countEnded(batch), 0),
    total: running.reduce((sum, batch) => sum + batch.counts.total, 0),
  };
}
