import { expect, test } from "vitest";
import type { Problem } from "#contract";
import { formatProblem, formatSeconds, summarizeProblems } from "./format.ts";

const problem: Problem = {
  code: "duplicate_custom_id",
  message: "Line 1 has it too.",
  param: "custom_id",
  line: 6,
  severity: "error",
};

test("a problem is one line that editors can jump to", () => {
  expect(formatProblem("a.jsonl", problem)).toBe("a.jsonl:6: duplicate_custom_id: Line 1 has it too.");
});

test("a problem of the whole file names no line, and a warning says that it is one", () => {
  expect(formatProblem("a.jsonl", { ...problem, line: null })).toBe("a.jsonl: duplicate_custom_id: Line 1 has it too.");
  expect(formatProblem("a.jsonl", { ...problem, severity: "warning" })).toMatch(/^a\.jsonl:6: warning: duplicate/);
});

test("a summary counts problems and the lines that have them", () => {
  expect(summarizeProblems([problem, problem, { ...problem, line: 7 }])).toBe("3 problems in 2 lines");
  expect(summarizeProblems([{ ...problem, line: null }])).toBe("1 problem");
});

test("times read as a person would write them", () => {
  expect(formatSeconds(412)).toBe("0.4 s");
});
