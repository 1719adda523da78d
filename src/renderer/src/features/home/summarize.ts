import { type BatchView, finalStatuses } from "#contract";

/** A batch that has ended, and when. */
export interface FinishedBatch {
  readonly batch: BatchView;
  readonly at: number;
}

/** The batches that have ended since, the last first. */
export function findFinished(batches: readonly BatchView[], since: number): FinishedBatch[] {
  return batches
    .flatMap((batch): FinishedBatch[] => {
      const { completed, failed, expired, cancelled } = batch.times;
      const at = completed ?? failed ?? expired ?? cancelled;
      return finalStatuses.has(batch.status) && at !== null && at > since ? [{ batch, at }] : [];
    })
    .sort((one, other) => other.at - one.at);
}

/** What a connection took this month. */
export interface ConnectionCost {
  readonly id: string;
  readonly name: string;
  /** Null where no price is known. */
  readonly usd: number | null;
  readonly answers: number;
  /** Answers whose cost is in `usd`. */
  readonly known: number;
}

type Costed = Pick<BatchView, "connection" | "cost" | "counts" | "times">;

/** What the batches made since `start` have cost, by connection, the dearest first. Trials count like all others. */
export function sumCosts(batches: readonly Costed[], start: number): ConnectionCost[] {
  const sums = new Map<string, ConnectionCost>();
  for (const { connection, cost, counts, times } of batches) {
    if (connection === null || times.created < start || counts.completed === 0) continue;
    const before = sums.get(connection.id) ?? { ...connection, usd: null, answers: 0, known: 0 };
    sums.set(connection.id, {
      ...before,
      usd: cost === null ? before.usd : (before.usd ?? 0) + cost.usd,
      answers: before.answers + counts.completed,
      known: before.known + (cost?.lines ?? 0),
    });
  }
  return [...sums.values()].sort((one, other) => (other.usd ?? -1) - (one.usd ?? -1));
}

/** When the month of a time began, where the user is. */
export function startOfMonth(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth()).getTime();
}
