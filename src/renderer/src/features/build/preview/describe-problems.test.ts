import { describe, expect, test } from "vitest";
import { buildProblemCodes, type ProblemGroup, problemCodes } from "#contract";
import {
  describeGroup,
  examplesOf,
  firstParts,
  isUnwritten,
  keyOf,
  pageOfRows,
  sortGroups,
} from "./describe-problems.ts";

function group(change: Partial<ProblemGroup>): ProblemGroup {
  return { code: "empty_value", severity: "error", count: 1, lines: change.count ?? 1, first: [], ...change };
}

function at(line: number | null): ProblemGroup["first"][number] {
  return { code: "empty_value", message: "", param: null, line, severity: "error" };
}

describe("a group of problems in one sentence", () => {
  test.each([
    [group({ code: "duplicate_custom_id", count: 12 }), "12 rows share their line id with an earlier one"],
    [group({ code: "duplicate_custom_id", count: 1 }), "1 row shares its line id with an earlier one"],
    [group({ code: "empty_value", count: 2 }), "2 rows leave a placeholder empty"],
    [group({ code: "template_error", count: 3_310 }), "The prompt can’t be filled in for 3,310 rows"],
    [group({ code: "no_prompt", lines: 0 }), "There is no prompt yet"],
    [group({ code: "no_prompt", count: 12 }), "12 rows have no text in the user message"],
    [group({ code: "empty_value", count: 600, lines: 300 }), "300 rows leave a placeholder empty"],
  ])("%#", (problems, sentence) => expect(describeGroup(problems, "row")).toBe(sentence));

  test("speaks of lines where the file holds requests", () => {
    expect(describeGroup(group({ code: "invalid_json_line", count: 2 }), "line")).toBe("2 lines are not JSON");
  });

  test.each([...problemCodes, ...buildProblemCodes])("there is one for %s that never shows the code", (code) => {
    for (const count of [1, 2]) {
      const sentence = describeGroup(group({ code, count }), "row");
      expect(sentence).toMatch(/^[A-Z0-9][^_]+[^.]$/);
    }
  });
});

test("an example speaks for its own row alone; of the prompt each problem is named", () => {
  const first = [
    { ...at(3), message: 'The column "Text" is empty in this row.' },
    { ...at(7), message: "Another." },
  ];
  expect(examplesOf(group({ count: 2, first }), "row")).toEqual(['Row 3: The column "Text" is empty in this row.']);
  expect(examplesOf(group({ lines: 0, first: first.map((one) => ({ ...one, line: null })) }), "row")).toEqual([
    'The column "Text" is empty in this row.',
    "Another.",
  ]);
  expect(keyOf(group({ first }))).not.toBe(keyOf(group({ first: first.slice(1) })));
});

test("rows are named a page at a time, and problems of the whole file name none", () => {
  const where: [number, number][] = [
    [2, 4],
    [9, 9],
    [20, 40],
  ];
  expect(pageOfRows(group({ where }), 0, 5)).toEqual([2, 3, 4, 9, 20]);
  expect(pageOfRows(group({ where }), 22, 5)).toEqual([38, 39, 40]);
  expect(pageOfRows(group({ first: [at(4), at(4), at(null), at(9), at(12)] }), 0, 2)).toEqual([4, 9]);
});

test("a problem of the prompt itself names the part to change", () => {
  const first = [
    { ...at(null), param: "body.messages[1].content" },
    { ...at(null), param: "custom_id" },
    { ...at(null), param: "body.model" },
    { ...at(3), param: "body.messages[0].content" },
  ];
  expect(firstParts(group({ first }))).toEqual([
    { param: "body.messages[1].content", name: "message 2" },
    { param: "custom_id", name: "the line id" },
  ]);
});

test("errors come before warnings, and the frequent before the rare", () => {
  const warning = group({ code: "empty_value", severity: "warning", count: 50 });
  const rare = group({ code: "invalid_row", count: 1 });
  const frequent = group({ code: "duplicate_custom_id", count: 9 });
  expect(sortGroups([warning, rare, frequent])).toEqual([frequent, rare, warning]);
});

test("a draft whose only problem is that it has no prompt is unwritten", () => {
  expect(isUnwritten([{ code: "no_prompt", line: null }])).toBe(true);
});

test.each([
  [[]],
  [[{ code: "no_prompt", line: 3 } as const]],
  [[{ code: "no_prompt", line: null } as const, { code: "template_error", line: null } as const]],
])("anything else is not (%#)", (problems) => {
  expect(isUnwritten(problems)).toBe(false);
});
