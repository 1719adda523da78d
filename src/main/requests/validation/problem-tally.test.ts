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

test("each empty column is a group with its own rows; of many causes the rest is one group", () => {
  const empty = (line: number, column: string): Problem => ({
    ...problem(line, "empty_value", "warning"),
    message: `The column "${column}" is empty in this row.`,
  });
  const rows = [
    ...Array.from({ length: 24 }, (_, at) => [
      empty(at + 1, "Betreff"),
      ...(at < 2 ? [empty(at + 1, "Text")] : []),
    ]).flat(),
    empty(30, "Text"),
  ];
  const found = groupProblems(rows).map(({ count, lines, first, where }) => [first[0]?.message, count, lines, where]);
  expect(found).toEqual([
    ['The column "Betreff" is empty in this row.', 24, 24, [[1, 24]]],
    [
      'The column "Text" is empty in this row.',
      3,
      3,
      [
        [1, 2],
        [30, 30],
      ],
    ],
  ]);
  const many = groupProblems(Array.from({ length: 50 }, (_, at) => empty(at + 1, `column ${at}`)));
  expect(many).toHaveLength(21);
  expect(many[0]).toMatchObject({ count: 30, lines: 30 });
});
