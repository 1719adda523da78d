import type { RunningBatch } from "./running-batch.ts";

/** What the dock or taskbar shows of the batches that run, as `setProgressBar` and `setBadgeCount` take it. */
export interface ProgressDescription {
  /** From 0 to 1; −1 for none. */
  readonly value: number;
  /** `paused` is amber: some lines have failed. `indeterminate`: it is not known yet how many there are. */
  readonly mode: "normal" | "paused" | "indeterminate";
  /** How many batches run. */
  readonly badge: number;
}

export function progressOf(running: readonly RunningBatch[]): ProgressDescription {
  if (running.length === 0) return { value: -1, mode: "normal", badge: 0 };
  const [done, total, failed] = running.reduce(
    ([done, total, failed], batch) => [done + batch.done, total + batch.total, failed + batch.failed],
    [0, 0, 0],
  );
  const badge = running.length;
  // A value above 1 is how Electron has it where there is no mode.
  if (total === 0) return { value: 2, mode: "indeterminate", badge };
  return { value: done / total, mode: failed === 0 ? "normal" : "paused", badge };
}
