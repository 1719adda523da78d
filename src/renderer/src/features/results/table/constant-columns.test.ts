import { expect, test } from "vitest";
import type { ResultChart } from "#contract";
import { findAlike, findConstant } from "./constant-columns.ts";

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

type Rows = Awaited<ReturnType<Parameters<typeof findConstant>[1]["lacking"]>>["rows"];

/** The constant of a column with such a chart, and such answers without a value. */
const constantOf = (
  counted: ResultChart | null,
  lacking: Rows = [],
  { column = "answer.currency", total = lacking.length } = {},
) =>
  findConstant(column, {
    chart: () => Promise.resolve(counted),
    lacking: () => Promise.resolve({ total, rows: lacking }),
  });

test("a column is constant where all lines have the same whole value", async () => {
  expect(await constantOf(chart)).toBe("EUR");
  expect(await constantOf({ ...chart, groups: [group, { ...group, value: "USD" }] })).toBeNull();
  expect(await constantOf({ ...chart, groups: [{ ...group, isCut: true }] })).toBeNull();
  expect(await constantOf({ ...chart, groups: [{ ...group, range: { from: 0, to: 9 } }] })).toBeNull();
  expect(await constantOf(null)).toBeNull();
});

test("a column that a line lacks is not constant, unless that line's answer has no fields at all", async () => {
  const five = { ...chart, lines: 5, empty: 2 };
  expect(await constantOf(five, [{ values: {} }, { values: {} }])).toBe("EUR");
  expect(await constantOf(five, [{ values: {} }, { values: { "answer.error": "no such ticket" } }])).toBeNull();
  expect(await constantOf(five, [{ values: { "answer.currency": null } }])).toBeNull();
  // More than were read.
  expect(await constantOf(five, [{ values: {} }], { total: 2 })).toBeNull();
  expect(await constantOf(five, [], { column: "source.currency" })).toBeNull();
});

test("only columns with the same value in all rows that are seen are counted", () => {
  const rows: Parameters<typeof findAlike>[1] = [
    { values: { "answer.currency": "EUR", "answer.delta": 1, "source.plan": "Team" } },
    { values: { "source.plan": "Team" } },
    { values: { "answer.currency": "EUR", "answer.delta": 2, "source.plan": "Team" } },
  ];
  const ids = ["answer.currency", "answer.delta", "source.plan", "answer.none"];
  expect(findAlike(ids, rows)).toEqual(["answer.currency", "source.plan"]);
});
