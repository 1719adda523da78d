import { expect, test } from "vitest";
import type { Claim, JudgeChoice, Verdict, Verification } from "#contract";
import { describeCounts, describeResult, nameJudge } from "./describe-result.ts";

function makeClaim(verdict: Verdict): Claim {
  return { verdict, judge: "rules", findings: [], span: { source: "response", start: 0, end: 1, text: "a" } };
}

function verification(...verdicts: Verdict[]): Verification {
  return {
    id: "1",
    at: 0,
    choice: { judge: "rules", model: null, preset: "general" },
    strict: false,
    document: null,
    isEarlier: false,
    milliseconds: 1,
    result: {
      prompt: "",
      response: "a",
      is_hallucination: false,
      explanation: "",
      claims: verdicts.map(makeClaim),
      search_results: [],
      usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
    },
  };
}

test.each<[string, Verification]>([
  ["Contradicted", verification("supported", "not_found", "contradicted")],
  ["Not in the document", verification("supported", "not_found")],
  ["Supported", verification("not_checkable", "supported")],
  ["Nothing could be checked", verification("not_checkable")],
  ["Nothing could be checked", verification()],
  ["Made by an earlier version", { ...verification("supported"), isEarlier: true }],
])("%s", (words, made) => expect(describeResult(made).words).toBe(words));

test("claims are counted in words", () => {
  const { claims } = verification("supported", "not_checkable", "not_checkable", "contradicted").result;
  expect(describeCounts(claims)).toBe("1 of 4 contradicted, 1 supported, 2 not checkable");
  expect(describeCounts([])).toBe("");
});

test("a judge has a name", () => {
  const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
  const choices: JudgeChoice[] = [
    { judge: "rules", model, preset: "general" },
    { judge: "model", model, preset: "general" },
    { judge: "both", model, preset: "general" },
    { judge: "both", model: null, preset: "general" },
  ];
  expect(choices.map(nameJudge)).toEqual([
    "Rules",
    "Llama 3.3 70B",
    "Rules, then Llama 3.3 70B",
    "Rules, then a model",
  ]);
});
