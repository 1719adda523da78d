import { expect, test } from "vitest";
import { makeBatch } from "../../queries/make-batch.ts";
import { listActions } from "./results-context.tsx";

test("answers can be verified and graded when the batch has ended with one, once at a time", () => {
  const idle = { run: null };
  const actionsOf = (
    about: Parameters<typeof makeBatch>[0],
    verification: { run: { state: "running" } | null } = idle,
  ) => listActions({ batch: makeBatch(about), verification, grading: idle });
  expect(actionsOf({})).toEqual({ hasAnswers: true, canVerify: true, canGrade: true, canExport: true });
  expect(actionsOf({}, { run: { state: "running" } })).toMatchObject({ canVerify: false, canGrade: true });
  expect(actionsOf({ status: "in_progress" })).toMatchObject({ hasAnswers: false, canExport: true });
  const counts = { total: 5, completed: 0, failed: 5, damaged: 0, neverRan: 0, awaited: 0 };
  expect(actionsOf({ counts })).toMatchObject({ hasAnswers: false, canExport: true });
});
