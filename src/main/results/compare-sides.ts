import {
  type ComparedBatch,
  type Comparison,
  type ComparisonFilter,
  type Grade,
  type Verdict,
  wilsonInterval,
} from "#contract";
import { compareGrades, correctForMany } from "#main/judging";
import type { BatchRecord } from "#main/storage";
import { type ComparedOutcome, compareOutcomes, fitsComparison } from "./compare.ts";
import { unknownTokens } from "./fact-columns.ts";
import type { MarkIndex } from "./index-columns.ts";
import { type LineIndex, timeAt } from "./line-index.ts";

/** One of the batches that are compared. */
export interface Side {
  readonly batch: BatchRecord;
  readonly index: LineIndex;
  readonly digests: Float64Array;
  readonly verdicts: MarkIndex<Verdict> | null;
  readonly grades: MarkIndex<Grade> | null;
  /** By what it is graded: the grader and the column, as one text; null for an ungraded one. */
  readonly gradedBy: string | null;
  /** The column that it is graded against; null for none. */
  readonly expected: string | null;
  /** The common lines, by row. */
  readonly lines: Uint32Array;
}

function outcomesOf(sides: readonly Side[], row: number): ComparedOutcome[] {
  return sides.map(({ lines, digests, grades, gradedBy }) => {
    const line = lines[row] ?? 0;
    return { digest: digests[line - 1] ?? 0, grade: grades?.mark(line) ?? null, gradedBy };
  });
}

/**
 * The rows that a filter leaves: changed answers first, then lines without an answer; else in the order of the first batch.
 * `hits`: the lines of each batch that hold the text that is searched; null where none is.
 */
export function selectRows(
  sides: readonly Side[],
  filter: ComparisonFilter,
  hits: readonly ReadonlySet<number>[] | null,
): Uint32Array {
  const [changed, unanswered, others]: [number[], number[], number[]] = [[], [], []];
  for (let row = 0; row < (sides[0]?.lines.length ?? 0); row++) {
    if (hits !== null && !sides.some(({ lines }, at) => hits[at]?.has(lines[row] ?? 0))) continue;
    const outcomes = outcomesOf(sides, row);
    const comparison = compareOutcomes(outcomes);
    if (!fitsComparison(comparison, outcomes, filter)) continue;
    (comparison.changed ? changed : comparison.unanswered ? unanswered : others).push(row);
  }
  return Uint32Array.from([...changed, ...unanswered, ...others]);
}

type SidesSummary = Omit<Comparison, "batches" | "pairs"> & {
  readonly batches: readonly Omit<ComparedBatch, "cost">[];
};

/** Summarizes the comparison, without the figures that depend on the baseline or on prices. */
export function summarizeSides(sides: readonly Side[], by: string): SidesSummary {
  const lines = sides[0]?.lines.length ?? 0;
  const counts = { answered: 0, same: 0, changed: 0, unanswered: 0, grades: 0 };
  for (let row = 0; row < lines; row++) {
    const outcomes = outcomesOf(sides, row);
    const { changed, unanswered, gradesDiffer } = compareOutcomes(outcomes);
    if (changed) counts.changed += 1;
    if (unanswered) counts.unanswered += 1;
    else counts.answered += 1;
    if (!unanswered && !changed) counts.same += 1;
    if (gradesDiffer) counts.grades += 1;
  }
  const columns = new Set(sides.flatMap(({ gradedBy, expected }) => (gradedBy === null ? [] : [expected])));
  const [expected = null] = columns.size === 1 ? columns : [];
  return { by, expected, lines, batches: sides.map(summarizeSide), ...counts };
}

/** Compares the baseline with each batch that is graded alike. */
export function compareWith(baseline: number, sides: readonly Side[]): Comparison["pairs"] {
  const gradesOf = ({ lines, grades }: Side) => Array.from(lines, (line) => grades?.mark(line) ?? null);
  const base = sides[baseline];
  if (base === undefined || base.gradedBy === null) return [];
  const ofBase = gradesOf(base);
  const pairs = sides.flatMap((side, place) => {
    if (place === baseline || side.gradedBy !== base.gradedBy) return [];
    const { onlyFirst, onlySecond, p } = compareGrades(gradesOf(side), ofBase);
    return [{ place, won: onlyFirst.length, lost: onlySecond.length, p }];
  });
  const corrected = correctForMany(pairs.map(({ p }) => p));
  return pairs.map((pair, at) => ({ ...pair, p: corrected[at] ?? pair.p }));
}

const doubtful: ReadonlySet<Verdict | null> = new Set(["contradicted", "not_found"]);

function summarizeSide({ batch, index, verdicts, grades, lines }: Side): Omit<ComparedBatch, "cost"> {
  const { promptTokens, completionTokens } = index.columns;
  const count = (fits: (line: number) => boolean) => lines.reduce((sum, line) => sum + Number(fits(line)), 0);
  const sum = (tokens: Uint32Array) => {
    const known = Array.from(lines, (line) => tokens[line - 1] ?? unknownTokens).filter((one) => one !== unknownTokens);
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
  };
  const milliseconds = Float32Array.from(lines, (line) => timeAt(index.columns, line - 1))
    .filter((time) => !Number.isNaN(time))
    .sort();
  return {
    id: batch.id,
    lines: index.total,
    answered: count((line) => index.hasAnswer(line)),
    failed: count((line) => index.answer(line)?.file === "error"),
    promptTokens: sum(promptTokens),
    completionTokens: sum(completionTokens),
    milliseconds: milliseconds[Math.floor(milliseconds.length / 2)] ?? null,
    grades: grades && countGrades(Array.from(lines, (line) => grades.mark(line))),
    verified: verdicts && {
      lines: count((line) => verdicts.mark(line) !== null),
      doubtful: count((line) => doubtful.has(verdicts.mark(line))),
    },
  };
}

function countGrades(marks: readonly (Grade | null)[]): ComparedBatch["grades"] {
  const [passed = 0, failed = 0] = ["pass", "fail"].map((grade) => marks.filter((mark) => mark === grade).length);
  return { passed, failed, interval: wilsonInterval(passed, passed + failed) };
}
