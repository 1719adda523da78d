import { type Connection, finalStatuses } from "#contract";
import type { BatchRecord } from "#main/storage";

/** A batch that runs, as the shell shows it. */
export interface RunningBatch {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  /** How many lines are answered or have failed. */
  readonly done: number;
  readonly failed: number;
  /** True where Sheaf asks each line; a batch at a service runs without it. */
  readonly asksItself: boolean;
  /** The connection that is paid, by its name; null for this computer and for servers on it. */
  readonly paidAt: string | null;
}

/** The batch as the shell shows it; null for one that has ended, and for a trial. `connection` is undefined where it is gone. */
export function toRunningBatch(batch: BatchRecord, name: string, connection?: Connection): RunningBatch | null {
  const { id, status, link, counts, direct } = batch;
  if (finalStatuses.has(status) || link?.kind === "trial") return null;
  return {
    id,
    name,
    total: counts.total,
    done: counts.completed + counts.failed,
    failed: counts.failed,
    asksItself: batch.connection === null || direct || connection?.adapter === "chat",
    paidAt: connection === undefined || isOnThisComputer(connection.url) ? null : connection.name,
  };
}

function isOnThisComputer(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || host.endsWith(".localhost") || host.startsWith("127.");
}

/** “Reviews”, or how many there are. */
export function describeBatches(running: readonly RunningBatch[]): string {
  const [first, ...others] = running;
  if (first === undefined) return "No batch";
  return others.length === 0 ? `“${first.name}”` : `${running.length} batches`;
}
