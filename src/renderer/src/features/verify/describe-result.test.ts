import { expect, test } from "vitest";
import { type Claim, countClaims, type Verdict, type Verification } from "#contract";
import { describeRun, explainResult } from "./describe-result.ts";

function makeVerification(explanation: string, ...verdicts: Verdict[]): Verification {
  const claims = verdicts.map(
    (verdict): Claim => ({
      verdict,
      judge: "rules",
      findings: [],
      span: { source: "response", start: 0, end: 1, text: "a" },
    }),
  );
  return {
    id: "1",
    at: 0,
    choice: { judge: "rules", model: null, preset: "general" },
    strict: false,
    document: null,
    isEarlier: false,
    milliseconds: 0.4,
    result: {
      prompt: "",
      response: "a",
      is_hallucination: false,
      explanation,
      claims,
      counts: countClaims(claims),
      search_results: [],
      usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
    },
  };
}

test("an explanation does not repeat what the headline says already", () => {
  const empty = makeVerification("Nothing could be checked: the response is empty.");
  expect(explainResult(empty)).toBe("The response is empty.");
  expect(explainResult(makeVerification("1 of 1 claim supported.", "supported"))).toBe("");
  expect(explainResult(makeVerification("The document says 1937.", "contradicted"))).toBe("The document says 1937.");
});

test("what strict changes is said where it changes something", () => {
  const missing = makeVerification("“Ann Lee” is not in the document.", "not_found");
  expect(explainResult(missing)).not.toContain("counts as wrong");
  expect(explainResult({ ...missing, strict: true })).toContain("counts as wrong");
});

test("a run names its judge, whether it was strict, and its time", () => {
  const made = makeVerification("", "supported");
  const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
  expect(describeRun(made)).toBe("Rules, under 1 ms");
  expect(
    describeRun({ ...made, strict: true, milliseconds: 2_000, choice: { judge: "both", model, preset: "general" } }),
  ).toBe("Rules and klusterai/Meta-Llama-3.3-70B-Instruct-Turbo, strict, 2 s");
});
