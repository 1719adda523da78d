import { expect, test } from "vitest";
import type { Grade } from "#contract";
import { type ColumnReader, chartLines, measureInMemory, readInMemory } from "./chart-lines.ts";
import { createLineIndex } from "./line-index.ts";

const numberLines = (count: number) => Uint32Array.from({ length: count }, (_, at) => at + 1);

test("a line is in the range whose edges its number lies between, fractions too", () => {
  const tenths = Array.from({ length: 60 }, (_, at) => (at + 17) / 10);
  const column: ColumnReader = { rank: () => 1, number: (at) => tenths[at] ?? Number.NaN, names: null };
  const { groups, histogram } = chartLines(numberLines(tenths.length), column, null, 0);
  expect(histogram?.counts).toEqual(groups.map(({ count }) => count));
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(tenths.length);
  for (const { range, count } of groups) {
    const { from = 0, to = 0 } = range ?? {};
    expect(tenths.filter((tenth) => tenth >= from && tenth < to)).toHaveLength(count);
  }
});

test("of grades, what a measure comes to is accuracy: a line without an answer counts for nothing", () => {
  const grades: Grade[] = ["pass", "fail", "no_answer", "pass", "no_answer"];
  const marks = {
    done: grades.length,
    mark: (line: number) => grades[line - 1] ?? null,
    keyOf: () => null,
    countOf: () => 0,
    hasKind: () => false,
  };
  const lines = { index: createLineIndex(new Float64Array(6)), marks: { verdicts: null, grades: marks }, costs: null };
  const status = readInMemory(lines, "status");
  const { measure, groups } = chartLines(numberLines(5), status, measureInMemory(lines, "grade"), 0);
  expect(measure?.values).toEqual(["pass", "fail"]);
  expect(groups).toMatchObject([{ count: 5, measured: { lines: 3, counts: [2, 1] } }]);
  expect(chartLines(numberLines(5), readInMemory(lines, "grade"), null, 0).groups).toHaveLength(3);
});
