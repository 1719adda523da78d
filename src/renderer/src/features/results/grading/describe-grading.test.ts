import { expect, test } from "vitest";
import { type GradeRun, graderSchema } from "#contract";
import {
  announceGrading,
  describeAccuracy,
  describeGrader,
  describeGradingPlan,
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
  expect(describeGradingPlan(200, "text", "answer")).toBe(
    "200 answers are compared with the column “answer”, on this computer.",
  );
  expect(describeGradingPlan(1, "schema", null)).toBe(
    "1 answer is checked by the JSON schema of its request, on this computer.",
  );
  expect(describeGradingPlan(2, "label", null)).toBe("Choose the column with the expected answers.");
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
