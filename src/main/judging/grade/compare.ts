import type { Grade } from "#contract";

/** Two batches on the same lines. Lines that one of them has no answer to are left out. */
export interface GradeComparison {
  readonly bothPassed: number;
  readonly bothFailed: number;
  /** The lines (from 1) that only the first batch passes, and those that only the second does. */
  readonly onlyFirst: readonly number[];
  readonly onlySecond: readonly number[];
  /** How likely so uneven a split is by chance (McNemar's exact test, two-sided): 1 where there is none. */
  readonly p: number;
}

/** Who won where, by line. */
export function compareGrades(first: readonly (Grade | null)[], second: readonly (Grade | null)[]): GradeComparison {
  const onlyFirst: number[] = [];
  const onlySecond: number[] = [];
  let [bothPassed, bothFailed] = [0, 0];
  for (const [at, one] of first.entries()) {
    const other = second[at] ?? null;
    if (one === "pass" && other === "pass") bothPassed += 1;
    else if (one === "fail" && other === "fail") bothFailed += 1;
    else if (one === "pass" && other === "fail") onlyFirst.push(at + 1);
    else if (one === "fail" && other === "pass") onlySecond.push(at + 1);
  }
  return { bothPassed, bothFailed, onlyFirst, onlySecond, p: mcNemar(onlyFirst.length, onlySecond.length) };
}

/**
 * The p-values of several comparisons, each as it counts among all of them (Holm): the more are made, the likelier one
 * looks uneven by chance.
 */
export function correctForMany(values: readonly number[]): number[] {
  const corrected = [...values];
  let most = 0;
  for (const [rank, at] of [...values.keys()]
    .sort((one, other) => (values[one] ?? 0) - (values[other] ?? 0))
    .entries()) {
    most = Math.max(most, Math.min(1, (values.length - rank) * (values[at] ?? 1)));
    corrected[at] = most;
  }
  return corrected;
}

/** Were both equally good, each line that only one passes would be heads or tails. */
function mcNemar(first: number, second: number): number {
  const lines = first + second;
  const fewer = Math.min(first, second);
  // In logarithms: 2^-lines is too small for a number from some thousand lines on.
  let term = -lines * Math.LN2;
  let tail = 0;
  for (let count = 0; count <= fewer; count++) {
    tail += Math.exp(term);
    term += Math.log(lines - count) - Math.log(count + 1);
  }
  return Math.min(1, 2 * tail);
}
