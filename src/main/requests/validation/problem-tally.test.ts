import { expect, test } from "vitest";
import type { Problem } from "#contract";
import { groupProblems } from "./problem-tally.ts";

function problem(line: number, code: Problem["code"], severity: Problem["severity"] = "error"): Problem {
  return { code, severity, message: `Problem on line ${line}.`, param: null, line };
}

test("problems are grouped by code, the most frequent first, with the first lines of each", () => {
  const many = Array.from({ length: 30 }, (_, at) => problem(at + 2, "invalid_url"));
  const groups = groupProblems([problem(1, "invalid_method"), ...many, problem(40, "empty_value", "warning")]);
  expect(groups.map(({ code, count, severity }) => [code, count, severity])).toEqual([
    ["invalid_url", 30, "error"],
    ["invalid_method", 1, "error"],
    ["empty_value", 1, "warning"],
  ]);
  expect(groups[0]?.first.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, at) => at + 2));
});
