import { breaksSchema, type TrialRow } from "#contract";
import { type ShownTrial, sumCosts, type TrialTable, type TrialTableRow } from "./trial-table.ts";

/** What a trial came to, for its footer. */
export interface TrialFacts {
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  /** Answers that break the schema. */
  readonly broken: number;
  /** From request to answer; null where no time is known. */
  readonly medianMilliseconds: number | null;
  /** Of the trial and the versions beside it, in US dollars; null where none is known. */
  readonly cost: number | null;
}

export function summarizeTrial({ trial: { rows }, others }: Pick<ShownTrial, "trial" | "others">): TrialFacts {
  const count = (fits: (row: TrialRow) => boolean) => rows.filter(fits).length;
  const times = rows.flatMap(({ state, milliseconds }) =>
    state === "answered" && milliseconds !== null ? [milliseconds] : [],
  );
  const costs = [sumCosts(rows), ...others.map(({ cost }) => cost)].filter((cost) => cost !== null);
  return {
    asked: rows.length,
    answered: count(({ state }) => state === "answered"),
    failed: count(({ state }) => state !== "answered" && state !== "waiting"),
    broken: count(({ misfits }) => breaksSchema(misfits)),
    medianMilliseconds: medianOf(times),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

/** Of an even number the mean of the two in the middle; null for none. */
function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.length === 0 ? null : middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Whether a row has a value that is not the expected one or that of another version, or an answer that another version lacks. */
function isDifferentRow({ values, others, trial }: TrialTableRow): boolean {
  const isAnswered = trial.state === "answered";
  const isMarked = values.some(({ isDifferent, isWhole }) => isDifferent || isWhole);
  return isMarked || others.some((other) => (other === null ? isAnswered : other.isDifferent || !isAnswered));
}

/** A trial's table with nothing but the rows that differ. */
export function withDifferentRows(table: TrialTable): TrialTable {
  return { ...table, rows: table.rows.filter(isDifferentRow) };
}
