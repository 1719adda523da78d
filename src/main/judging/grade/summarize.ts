import type { Grade, GradeSummary, LabelTable } from "#contract";
import { fromPairKey } from "./pair-keys.ts";

/** Two-sided 95 % of the normal distribution. */
const z95 = 1.959963984540054;

export interface CountedGrades {
  readonly counts: Readonly<Record<Grade, number>>;
  /** How often each pair of labels occurs, by `toPairKey`. */
  readonly pairs?: ReadonlyMap<string, number>;
  /** Of the column; null where it has too many different values for a table of them. */
  readonly labels: readonly string[] | null;
}

/** Whether accuracy is of it: a line without an answer says nothing about the answers. */
export function isCounted(grade: Grade | null): grade is "pass" | "fail" {
  return grade === "pass" || grade === "fail";
}

/** Accuracy is passed / (passed + failed). */
export function summarizeGrades({ counts, pairs = new Map(), labels }: CountedGrades): GradeSummary {
  const { pass: passed, fail: failed, no_answer: noAnswer } = counts;
  return {
    graded: passed + failed + noAnswer,
    passed,
    failed,
    noAnswer,
    accuracy: share(passed, passed + failed),
    interval: wilsonInterval(passed, passed + failed),
    labels: labels === null ? null : tabulate(labels, pairs),
  };
}

/** The 95 % interval of a share (Wilson's score interval); null where there is nothing to have a share of. */
export function wilsonInterval(passed: number, of: number): [number, number] | null {
  if (of === 0) return null;
  const rate = passed / of;
  const square = z95 ** 2;
  const middle = (rate + square / (2 * of)) / (1 + square / of);
  const half = (z95 / (1 + square / of)) * Math.sqrt((rate * (1 - rate)) / of + square / (4 * of ** 2));
  return [passed === 0 ? 0 : middle - half, passed === of ? 1 : middle + half];
}

function share(part: number, of: number): number | null {
  return of === 0 ? null : part / of;
}

function tabulate(labels: readonly string[], pairs: ReadonlyMap<string, number>): LabelTable {
  const at = new Map(labels.map((label, index) => [label, index]));
  const counts = labels.map(() => new Array<number>(labels.length + 1).fill(0));
  for (const [key, count] of pairs) {
    const [expected, given] = fromPairKey(key);
    const row = counts[at.get(expected) ?? -1];
    const column = given === null ? labels.length : (at.get(given) ?? labels.length);
    if (row !== undefined) row[column] = (row[column] ?? 0) + count;
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    counts,
    labels: labels.map((label, index) => {
      const right = counts[index]?.[index] ?? 0;
      const given = sum(counts.map((row) => row[index] ?? 0));
      return { label, precision: share(right, given), recall: share(right, sum(counts[index] ?? [])) };
    }),
  };
}
