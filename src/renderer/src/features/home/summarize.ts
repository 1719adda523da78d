import { type BatchCost, type BatchView, finalStatuses, type JudgeCost, sumKnownCosts } from "#contract";

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
  readonly cost: BatchCost | null;
  /** Answers that were asked, and ones that were reused. */
  readonly answers: number;
  readonly reused: number;
}

type Costed = Pick<BatchView, "connection" | "cost" | "counts" | "reused" | "times">;

/**
 * What the batches made since `start` have cost, and the models that judge, by connection, the dearest first. Trials count like all
 * others.
 */
export function sumCosts(batches: readonly Costed[], judges: readonly JudgeCost[], start: number): ConnectionCost[] {
  const asked = batches.flatMap(({ connection, times, ...batch }) =>
    connection === null || times.created < start || batch.counts.completed === 0
      ? []
      : [{ connection, cost: batch.cost, asked: countAsked(batch), reused: batch.reused }],
  );
  const judged = judges.map(({ answers, ...judge }) => ({ ...judge, asked: answers, reused: 0 }));
  const counted = [...asked, ...judged];
  const sums = Array.from(
    Map.groupBy(counted, ({ connection: { id } }) => id).values(),
    (group): ConnectionCost => ({
      ...(group[0] as (typeof group)[number]).connection,
      cost: sumKnownCosts(group),
      answers: group.reduce((sum, { asked: some }) => sum + some, 0),
      reused: group.reduce((sum, { reused }) => sum + reused, 0),
    }),
  );
  return sums.sort((one, other) => (other.cost?.usd ?? -1) - (one.cost?.usd ?? -1));
}

function countAsked({ counts, reused }: Pick<Costed, "counts" | "reused">): number {
  return Math.max(0, counts.completed - reused);
}

/** When the month of a time began, in UTC as on bills. */
export function startOfMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
