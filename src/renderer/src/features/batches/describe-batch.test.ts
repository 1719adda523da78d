import { expect, test } from "vitest";
import { describeModels, hasAnswers, sumRunning } from "./describe-batch.ts";
import { makeBatch } from "./make-batch.ts";

test("a batch of several models names the first", () => {
  expect(describeModels([])).toBe("");
  expect(describeModels(["deepseek-ai/DeepSeek-R1", "a", "b"])).toBe("DeepSeek R1 and 2 more");
});

test("the lines of all running batches are counted together", () => {
  const counts = { total: 100, completed: 40, failed: 2, neverRan: 0 };
  const batches = [
    makeBatch({}),
    makeBatch({ status: "in_progress", counts }),
    makeBatch({ status: "validating", counts }),
  ];
  expect(sumRunning(batches)).toEqual({ batches: 2, ended: 84, total: 200 });
});

test("a batch can be verified and graded when it has ended with an answer", () => {
  expect(hasAnswers(makeBatch({}))).toBe(true);
  expect(hasAnswers(makeBatch({ status: "in_progress" }))).toBe(false);
  expect(hasAnswers(makeBatch({ counts: { total: 5, completed: 0, failed: 5, neverRan: 0 } }))).toBe(false);
});
