import { expect, test } from "vitest";
import type { ResultFilter } from "#contract";
import { narrowFilter } from "./narrow-filter.ts";

test("a bar narrows the filter to its lines, in place of what was chosen of its column", () => {
  const filter: ResultFilter = {
    states: ["failed", "answered"],
    columns: [
      { path: "source.city", op: "equals", value: "Rome" },
      { path: "cost", op: "less", value: "1" },
    ],
  };
  const [, cost] = filter.columns ?? [];
  expect(narrowFilter(filter, "status", { value: "answered", range: null })).toEqual({
    ...filter,
    states: ["answered"],
  });
  expect(narrowFilter(filter, "source.city", { value: "Oslo", range: null })).toEqual({
    ...filter,
    columns: [cost, { path: "source.city", op: "equals", value: "Oslo" }],
  });
  expect(narrowFilter({}, "answer", { value: "Once upon", isCut: true, range: null })).toEqual({
    columns: [{ path: "answer", op: "starts_with", value: "Once upon" }],
  });
  expect(narrowFilter({}, "source.city", { value: "", isEmpty: true })).toEqual({
    columns: [{ path: "source.city", op: "empty" }],
  });
  expect(narrowFilter(filter, "cost", { value: "0.1", range: { from: 0.1, to: 0.2 } }).columns).toEqual([
    { path: "source.city", op: "equals", value: "Rome" },
    { path: "cost", op: "at_least", value: "0.1" },
    { path: "cost", op: "less", value: "0.2" },
  ]);
});
