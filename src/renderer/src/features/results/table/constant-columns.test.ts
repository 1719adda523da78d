import { expect, test } from "vitest";
import type { ResultChart, ResultRow } from "#contract";
import { findAlike, readConstant } from "./constant-columns.ts";

const group = { value: "EUR", isCut: false, range: null, count: 3, measured: null };
const chart: ResultChart = {
  lines: 3,
  known: 3,
  empty: 0,
  areObjects: false,
  histogram: null,
  hasTooManyValues: false,
  groups: [group],
  measure: null,
};

test("a column is constant where all lines have the same whole value", () => {
  expect(readConstant(chart)).toBe("EUR");
  expect(readConstant({ ...chart, groups: [group, { ...group, value: "USD" }] })).toBeNull();
  // One line lacks it.
  expect(readConstant({ ...chart, lines: 4, empty: 1 })).toBeNull();
  expect(readConstant({ ...chart, groups: [{ ...group, isCut: true }] })).toBeNull();
  expect(readConstant({ ...chart, groups: [{ ...group, range: { from: 0, to: 9 } }] })).toBeNull();
  expect(readConstant(null)).toBeNull();
});

test("only columns with the same value in all rows that are seen are counted", () => {
  const rows = [
    { "answer.currency": "EUR", "answer.delta": 1, "source.plan": "Team" },
    { "source.plan": "Team" },
    { "answer.currency": "EUR", "answer.delta": 2, "source.plan": "Team" },
  ].map((values) => ({ values }) as unknown as ResultRow);
  const ids = ["answer.currency", "answer.delta", "source.plan", "answer.none"];
  expect(findAlike(ids, rows)).toEqual(["answer.currency", "source.plan"]);
});
