import { expect, test } from "vitest";
import type { VerificationRun } from "#contract";
import { announceRun, describeDone, describePlan, describeRunPace } from "./describe-verification.ts";
import { fromValue, listDocuments, toValue } from "./verify-dialog.tsx";

const none = { from: "none" } as const;
const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";

const run: VerificationRun = {
  batchId: "batch_1",
  state: "running",
  choice: { judge: "rules", model: null, preset: "general" },
  document: none,
  strict: false,
  isEarlier: false,
  earlierCounts: [],
  total: 1_319,
  done: 700,
  counts: { contradicted: 150, not_found: 0, supported: 500, not_checkable: 50 },
  kinds: [],
  rate: 820,
  timeLeft: 755,
  problem: null,
};

test("a plan says what is held against what, and by whom", () => {
  expect(describePlan(1_319, { judge: "rules", model: null, preset: "general" }, none)).toBe(
    "1,319 answers are checked against their prompts, on this computer. The result is the same each time.",
  );
  expect(describePlan(1, { judge: "both", model, preset: "general" }, { from: "column", column: "passage" })).toBe(
    "1 answer is checked against its prompt, with the column “passage” as the document: by rules first, then Llama 3.3 70B is asked where they leave something open.",
  );
  expect(describePlan(2, { judge: "model", model: null, preset: "general" }, none)).toContain("Choose the model");
});

test("progress is told with count, rate and time left", () => {
  expect(describeDone(run)).toBe("700 of 1,319 answers");
  expect(describeRunPace(run)).toBe("820 answers/s  ·  1 s left");
  expect(describeRunPace({ rate: null, timeLeft: null })).toBe("");
});

test("screen readers hear of quarters and of the end", () => {
  expect(announceRun({ ...run, done: 10 })).toBe("Verifying answers");
  expect(announceRun(run)).toBe("Verifying answers, 50%");
  expect(announceRun({ ...run, state: "done", done: 1_319 })).toBe("Verified: 150 of 1,319 answers contradicted");
});

test("a column of any name stays what it is", () => {
  for (const column of ["passage", "none", "column:", ""]) {
    expect(fromValue(toValue({ from: "column", column }))).toEqual({ from: "column", column });
  }
  for (const from of ["none", "system_message"] as const) expect(fromValue(toValue({ from }))).toEqual({ from });
});

test("only what is there is offered", () => {
  expect(listDocuments({ columns: [], hasSystemMessages: false })).toHaveLength(1);
  expect(listDocuments({ columns: ["a", "a", "b"], hasSystemMessages: true })).toEqual([
    expect.objectContaining({ value: "none" }),
    expect.objectContaining({ value: "system_message" }),
    expect.objectContaining({
      items: [expect.objectContaining({ label: "a" }), expect.objectContaining({ label: "b" })],
    }),
  ]);
});
