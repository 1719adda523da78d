import { expect, test } from "vitest";
import type { ResultChart } from "#contract";
import { explainNoGroups } from "./right-by.tsx";

const none: ResultChart = {
  lines: 20,
  known: 20,
  empty: 0,
  areObjects: false,
  histogram: null,
  hasTooManyValues: false,
  groups: [],
  measure: null,
};
const histogram = {
  count: 20,
  sum: 210,
  least: 1,
  most: 20,
  median: 10,
  p95: 19,
  start: 0,
  step: 5,
  counts: [4, 5, 5, 6],
};

test.each([
  [{ hasTooManyValues: true }, "It has too many different values."],
  [{ histogram }, "It has too many different values."],
  [{ areObjects: true }, "Its values are objects, not groups."],
  [{ known: 0 }, "No graded line has a value in this column."],
])("a column without groups: %j", (about, why) => {
  expect(explainNoGroups({ ...none, ...about })).toBe(why);
});
