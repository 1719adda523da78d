import { expect, test } from "vitest";
import { type GradeRun, graderSchema } from "#contract";
import {
  announceGrading,
  describeAccuracy,
  describeGrader,
  describeGradingPlan,
  describeReplaced,
  explainLowAccuracy,
  graders,
  readTolerance,
} from "./describe-grading.ts";

const run: GradeRun = {
  batchId: "batch_1",
  state: "done",
  grader: { name: "number", tolerance: 0.5 },
  column: "answer",
  total: 500,
  done: 500,
  summary: {
    graded: 500,
    passed: 394,
    failed: 38,
    noAnswer: 68,
    noExpected: 0,
    failure: null,
    accuracy: 394 / 432,
    interval: [0.8811, 0.9357],
    labels: null,
  },
  rate: null,
  timeLeft: null,
  problem: null,
};

test("every grader is offered, and explained", () => {
  const names = graderSchema.options.map(({ shape }) => shape.name.value);
  expect(graders.map(({ name }) => name).sort()).toEqual(names.sort());
});

test("a plan says what is compared with what", () => {
  expect(describeGradingPlan([{ answers: 200 }], "text", "answer")).toBe(
    "200 answers are compared with the column “answer”, on this computer.",
  );
  expect(describeGradingPlan([{ answers: 4_700 }, { answers: 300 }], "json", "topic")).toBe(
    "5,000 answers of 2 batches are compared with the column “topic”, on this computer.",
  );
  expect(describeGradingPlan([{ answers: 1 }], "schema", null)).toBe(
    "1 answer is checked by the JSON schema of its request, on this computer.",
  );
  expect(describeGradingPlan([{ answers: 2 }], "label", null)).toBe("Choose the column with the expected answers.");
});

test("a start says whose grades it replaces", () => {
  const batch = (batchId: string, isGraded: boolean) => ({
    batchId,
    name: `Tickets ${batchId}`,
    answers: 1,
    isGraded,
    problem: null,
  });
  expect(describeReplaced([batch("1", false)], "1")).toBeNull();
  expect(describeReplaced([batch("1", true), batch("2", false)], "1")).toBe("The grades of the last run are replaced.");
  expect(describeReplaced([batch("1", false), batch("2", true)], "1")).toBe("The grades of “Tickets 2” are replaced.");
  expect(describeReplaced([batch("1", true), batch("2", true), batch("3", true)], "1")).toBe(
    "The grades of “Tickets 1”, “Tickets 2”, and “Tickets 3” are replaced.",
  );
});

test.each<[words: string, grader: GradeRun["grader"], counts: number[][], interval: [number, number], RegExp | null]>([
  [
    "right more often than a guess",
    { name: "text" },
    [
      [3, 2, 0],
      [2, 3, 0],
    ],
    [0.31, 0.83],
    null,
  ],
  [
    "whole answers that are JSON",
    { name: "text" },
    [
      [0, 0, 9],
      [0, 0, 9],
    ],
    [0, 0.18],
    /^A guess among 2 labels would be right in 50%\..*“JSON value”/,
  ],
  [
    "another path",
    { name: "json", path: "$.why" },
    [
      [0, 0, 9],
      [0, 0, 9],
    ],
    [0, 0.18],
    /none of the labels at \$\.why/,
  ],
  [
    "other words",
    { name: "label" },
    [
      [0, 0, 9],
      [0, 0, 9],
    ],
    [0, 0.18],
    /the prompt may ask for other words/,
  ],
  [
    "shifted rows",
    { name: "label" },
    [
      [0, 9, 0],
      [9, 0, 0],
    ],
    [0, 0.18],
    /those of other rows/,
  ],
])("an accuracy below that of a guess says what may be wrong: %s", (_, grader, counts, interval, expected) => {
  const labels = ["a", "b"].map((label) => ({ label, precision: null, recall: null }));
  const summary = { ...run.summary, accuracy: interval[0], interval, labels: { labels, counts, areLists: false } };
  const found = explainLowAccuracy({ ...run, grader, summary });
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatch(expected);
  expect(explainLowAccuracy({ ...run, grader, summary: { ...summary, labels: null } })).toBeNull();
});

test("a grading in which all fail alike, or none passes, says what to look at", () => {
  const summary = { ...run.summary, passed: 0, failed: 79 };
  expect(explainLowAccuracy({ ...run, summary })).toMatch(/^No answer passed\. Open a failed line/);
  expect(explainLowAccuracy({ ...run, summary: { ...summary, failure: "The answer is no JSON." } })).toBe(
    "All 79 failed answers have the same problem: The answer is no JSON.",
  );
});

test("a grading says by what it was made and what it came to", () => {
  expect(describeGrader(run)).toBe("as numbers against the column “answer”, give or take 0.5");
  expect(describeGrader({ ...run, grader: { name: "text" } })).toBe("by “Same text” against the column “answer”");
  expect(describeAccuracy(run.summary)).toEqual({ accuracy: "91.2%", interval: "88.1% to 93.6%" });
  expect(describeAccuracy({ ...run.summary, accuracy: null, interval: null })).toBeNull();
  expect(announceGrading(run)).toBe("Graded: 394 of 500 lines passed");
});

test("a tolerance is read with a point or a comma, and nothing else is guessed", () => {
  expect(["0", "0.5", "0,5", " 2 "].map(readTolerance)).toEqual([0, 0.5, 0.5, 2]);
  expect(["", "-1", "a", "1e3", "."].map(readTolerance)).toEqual([null, null, null, null, null]);
});
