import { expect, test } from "vitest";
import type { VerificationRun } from "#contract";
import { announceRun, describeDone, describePace } from "../tabs/run-status.tsx";
import {
  announceVerification,
  describeDisagreements,
  describePlan,
  describeRulesAlone,
  describeWrong,
} from "./describe-verification.ts";
import { fromValue, listDocuments, suggestDocument, toValue } from "./verify-dialog.tsx";

const none = { from: "none" } as const;
const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";

const run: VerificationRun = {
  batchId: "batch_1",
  state: "running",
  choice: { judge: "rules", model: null, preset: "general" },
  document: none,
  strict: false,
  checksForm: true,
  isEarlier: false,
  earlierCounts: [],
  form: { kept: 0, broken: 0 },
  total: 1_319,
  done: 700,
  counts: { contradicted: 150, not_found: 20, supported: 480, not_checkable: 50 },
  claims: { contradicted: 160, not_found: 30, supported: 900, not_checkable: 700 },
  disagreements: 0,
  kinds: [],
  rulesAlone: [],
  rate: 820,
  timeLeft: 755,
  problem: null,
};

test("a plan says what is held against what, and by whom", () => {
  expect(describePlan(1_319, { judge: "rules", model: null, preset: "general" }, none)).toBe(
    "1,319 answers are checked against their prompts, on this computer. The result is the same each time.",
  );
  expect(describePlan(1, { judge: "both", model, preset: "general" }, { from: "column", column: "passage" })).toBe(
    "1 answer is checked against its prompt, with the column “passage” as the document: by rules first, then klusterai/Meta-Llama-3.3-70B-Instruct-Turbo is asked about everything else.",
  );
  expect(describePlan(2, { judge: "model", model: null, preset: "general" }, none)).toContain("Choose the model");
});

test("it counts the answers of which rules and model disagree", () => {
  expect(describeDisagreements(run)).toBe("Rules and model disagree about no answer.");
  expect(describeDisagreements({ ...run, disagreements: 3 })).toBe("Rules and model disagree about 3 of 700 answers.");
});

test("with strict, what is not in the document counts as wrong, too", () => {
  expect(describeWrong(run)).toBe("150 of 700 answers are contradicted and count as wrong.");
  expect(describeWrong({ ...run, strict: true })).toBe(
    "170 of 700 answers are contradicted or not in the document and count as wrong (strict).",
  );
  expect(describeWrong({ ...run, counts: { ...run.counts, contradicted: 1 } })).toContain("is contradicted and counts");
});

test("screen readers hear of quarters and of the end", () => {
  const announce = (change: Partial<VerificationRun>) => {
    const changed = { ...run, ...change };
    return announceRun(changed, "Verifying", "verification", announceVerification(changed));
  };
  expect(announce({ done: 10 })).toBe("Verifying answers");
  expect(announce({})).toBe("Verifying answers, 50%");
  expect(announce({ state: "failed" })).toBe("The verification could not go on");
  expect(announce({ state: "done", done: 1_319 })).toBe(
    "Verified: 150 contradicted, 20 not in the document in 1,319 answers",
  );
});

test("what the rules alone judged is counted, with why", () => {
  const [down, slow] = ["the model answered with status 503", "the model did not answer within 120 seconds"];
  const rulesAlone = [
    { problem: down, count: 3 },
    { problem: slow, count: 1 },
  ];
  expect(describeRulesAlone(run)).toBeNull();
  const words = `4 of 700 answers were judged by rules alone: ${down}.`;
  expect(describeRulesAlone({ ...run, rulesAlone })).toBe(words);
  expect(announceVerification({ ...run, rulesAlone })).toContain(words);
});

test("progress has a count, a rate and the time left", () => {
  expect(describeDone(run, "answer")).toBe("700 of 1,319 answers");
  expect(describePace(run, "answer")).toBe("820 answers/s  ·  1 s left");
  expect(describePace({ rate: null, timeLeft: null }, "answer")).toBe("");
});

test("a column of any name stays what it is", () => {
  for (const column of ["passage", "none", "column:", ""]) {
    expect(fromValue(toValue({ from: "column", column }))).toEqual({ from: "column", column });
  }
  for (const from of ["none", "system_message"] as const) expect(fromValue(toValue({ from }))).toEqual({ from });
});

test("a column named document, context or passage is the document", () => {
  const suggest = (...columns: string[]) => suggestDocument(columns);
  expect(suggest("question", "Passage ")).toEqual({ from: "column", column: "Passage " });
  expect(suggest("context", "documents")).toEqual({ from: "column", column: "documents" });
  expect(suggest("question", "document_id")).toEqual({ from: "none" });
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
