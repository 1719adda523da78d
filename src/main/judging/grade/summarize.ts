import { type Grade, type GradeSummary, type LabelTable, wilsonInterval } from "#contract";
import type { ColumnLabels } from "./label-pairs.ts";
import { fromTallyKey, type LabelPair, type ListKey, type TallyKey } from "./pair-keys.ts";

export interface CountedGrades extends ColumnLabels {
  readonly counts: Readonly<Record<Grade, number>>;
  /** How often each key of `TallyGrade` was counted. */
  readonly tallies: ReadonlyMap<string, number>;
}

/** Whether accuracy is of it: a line without an answer says nothing about the answers. */
export function isCounted(grade: Grade | null): grade is "pass" | "fail" {
  return grade === "pass" || grade === "fail";
}

/** Accuracy is passed / (passed + failed). */
export function summarizeGrades({ counts, tallies, labels, items }: CountedGrades): GradeSummary {
  const { pass: passed, fail: failed, no_answer: noAnswer, no_expected: noExpected } = counts;
  const keys = Array.from(tallies, ([key, count]): Counted => [fromTallyKey(key), count]);
  const isList = items !== null && keys.some(([key]) => "right" in key || "missed" in key || "extra" in key);
  return {
    graded: passed + failed + noAnswer,
    passed,
    failed,
    noAnswer,
    noExpected,
    accuracy: share(passed, passed + failed),
    interval: wilsonInterval(passed, passed + failed),
    labels: isList ? tabulateLists(items, keys) : labels === null ? null : tabulate(labels, keys),
    failure: findFailure(keys, failed),
  };
}

type Counted = readonly [key: TallyKey, count: number];

/** Fewest failed answers that have something in common. */
const fewestAlike = 2;

function findFailure(keys: readonly Counted[], failed: number): string | null {
  const failures = keys.flatMap(([key, count]) => ("failure" in key ? [{ why: key.failure, count }] : []));
  const [only, ...others] = failures;
  return others.length === 0 && only !== undefined && only.count === failed && failed >= fewestAlike ? only.why : null;
}

function share(part: number, of: number): number | null {
  return of === 0 ? null : part / of;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** A count for each expected and given label, and last that of other texts. */
function createMatrix(labels: readonly string[]) {
  const at = new Map(labels.map((label, index) => [label, index]));
  const counts = labels.map(() => new Array<number>(labels.length + 1).fill(0));
  return {
    counts,
    add([expected, given]: LabelPair, count: number) {
      const row = counts[at.get(expected) ?? -1];
      const column = given === null ? labels.length : (at.get(given) ?? labels.length);
      if (row !== undefined) row[column] = (row[column] ?? 0) + count;
    },
  };
}

function tabulate(labels: readonly string[], keys: readonly Counted[]): LabelTable {
  const { counts, add } = createMatrix(labels);
  for (const [key, count] of keys) if (Array.isArray(key)) add(key as LabelPair, count);
  return {
    counts,
    areLists: false,
    labels: labels.map((label, index) => {
      const right = counts[index]?.[index] ?? 0;
      const given = sum(counts.map((row) => row[index] ?? 0));
      return { label, precision: share(right, given), recall: share(right, sum(counts[index] ?? [])) };
    }),
  };
}

function tabulateLists(labels: readonly string[], keys: readonly Counted[]): LabelTable {
  const { counts, add } = createMatrix(labels);
  const total = {
    right: new Map<string, number>(),
    missed: new Map<string, number>(),
    extra: new Map<string, number>(),
  };
  const count = (of: Map<string, number>, label: string, by: number) => of.set(label, (of.get(label) ?? 0) + by);
  for (const [key, by] of keys) {
    if (Array.isArray(key) || "failure" in key) continue;
    const listKey = key as ListKey;
    if ("given" in listKey) add([listKey.missed, listKey.given], by);
    else if ("missed" in listKey) count(total.missed, listKey.missed, by);
    else if ("extra" in listKey) count(total.extra, listKey.extra, by);
    else {
      add([listKey.right, listKey.right], by);
      count(total.right, listKey.right, by);
    }
  }
  return {
    counts,
    areLists: true,
    labels: labels.map((label) => {
      const [right, missed, extra] = [total.right, total.missed, total.extra].map((of) => of.get(label) ?? 0);
      return {
        label,
        precision: share(right ?? 0, (right ?? 0) + (extra ?? 0)),
        recall: share(right ?? 0, (right ?? 0) + (missed ?? 0)),
      };
    }),
  };
}
