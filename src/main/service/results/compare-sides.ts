import type { ComparedBatch, Comparison, ComparisonFilter, Grade, Verdict } from "#contract";
import { compareGrades } from "../grade/index.ts";
import type { BatchRecord } from "../store/index.ts";
import { type ComparedOutcome, compareOutcomes, fitsComparison } from "./compare.ts";
import { unknownTokens } from "./fact-columns.ts";
import { type LineIndex, timeAt } from "./line-index.ts";
import type { MarkIndex } from "./select-lines.ts";

/** One of the batches that are compared. */
export interface Side {
  readonly batch: BatchRecord;
  readonly index: LineIndex;
  readonly digests: Float64Array;
  readonly verdicts: MarkIndex<Verdict> | null;
  readonly grades: MarkIndex<Grade> | null;
  /** The common lines, by row. */
  readonly lines: Uint32Array;
}

function outcomesOf(sides: readonly Side[], row: number): ComparedOutcome[] {
  return sides.map(({ lines, digests, grades }) => {
    const line = lines[row] ?? 0;
    return { digest: digests[line - 1] ?? 0, grade: grades?.mark(line) ?? null };
  });
}

/** The rows that a filter leaves: changed answers first, then lines without an answer; else in the order of the first batch. */
export function selectRows(sides: readonly Side[], filter: ComparisonFilter): Uint32Array {
  const [changed, unanswered, others]: [number[], number[], number[]] = [[], [], []];
  for (let row = 0; row < (sides[0]?.lines.length ?? 0); row++) {
    const outcomes = outcomesOf(sides, row);
    const comparison = compareOutcomes(outcomes);
    if (!fitsComparison(comparison, outcomes, filter)) continue;
    (comparison.changed ? changed : comparison.unanswered ? unanswered : others).push(row);
  }
  return Uint32Array.from([...changed, ...unanswered, ...others]);
}

/** What of the batches compares how. */
export function summarizeSides(sides: readonly Side[]): Comparison {
  const lines = sides[0]?.lines.length ?? 0;
  const counts = { answered: 0, same: 0, changed: 0, unanswered: 0, grades: 0 };
  const wins = sides.map(() => 0);
  for (let row = 0; row < lines; row++) {
    const outcomes = outcomesOf(sides, row);
    const { changed, unanswered, gradesDiffer } = compareOutcomes(outcomes);
    if (changed) counts.changed += 1;
    if (unanswered) counts.unanswered += 1;
    else counts.answered += 1;
    if (!unanswered && !changed) counts.same += 1;
    if (!gradesDiffer) continue;
    counts.grades += 1;
    for (const [at, { grade }] of outcomes.entries()) if (grade === "pass") wins[at] = (wins[at] ?? 0) + 1;
  }
  return { lines, batches: sides.map(summarizeSide), ...counts, wins, pairs: comparePairs(sides) };
}

/** The first batch against each other one by grade. */
function comparePairs(sides: readonly Side[]): Comparison["pairs"] {
  const gradesOf = ({ lines, grades }: Side) => Array.from(lines, (line) => grades?.mark(line) ?? null);
  const [first, ...others] = sides;
  if (first === undefined || first.grades === null) return [];
  const gradesOfFirst = gradesOf(first);
  return others.flatMap((side, at) => {
    if (side.grades === null) return [];
    const { onlyFirst, onlySecond, p } = compareGrades(gradesOfFirst, gradesOf(side));
    return [{ other: at + 1, onlyFirst: onlyFirst.length, onlyOther: onlySecond.length, p }];
  });
}

const doubtful: ReadonlySet<Verdict | null> = new Set(["contradicted", "not_found"]);

function summarizeSide({ batch, index, verdicts, grades, lines }: Side): ComparedBatch {
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
    answered: count((line) => index.answer(line)?.file === "output"),
    failed: count((line) => index.answer(line)?.file === "error"),
    promptTokens: sum(promptTokens),
    completionTokens: sum(completionTokens),
    milliseconds: milliseconds[Math.floor(milliseconds.length / 2)] ?? null,
    grades: grades && {
      passed: count((line) => grades.mark(line) === "pass"),
      failed: count((line) => grades.mark(line) === "fail"),
    },
    verified: verdicts && {
      lines: count((line) => verdicts.mark(line) !== null),
      doubtful: count((line) => doubtful.has(verdicts.mark(line))),
    },
  };
}
