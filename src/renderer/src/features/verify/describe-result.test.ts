import { expect, test } from "vitest";
import type { Claim, JudgeChoice, TextSource, Verification } from "#contract";
import { describeCounts, describeResult, nameJudge } from "./describe-result.ts";

type Made = Pick<Claim, "verdict" | "check"> & { readonly source?: TextSource };

function makeClaim({ verdict, check, source }: Made): Claim {
  const evidence = source === undefined ? [] : [{ source, start: 0, end: 1, text: "a" }];
  return { verdict, check, evidence, reason: "", span: { source: "response", start: 0, end: 1, text: "a" } };
}

function verification(document: string | null, ...claims: Made[]): Verification {
  return {
    id: "1",
    at: 0,
    choice: { judge: "rules", model: null },
    document,
    milliseconds: 1,
    result: {
      prompt: "",
      response: "a",
      is_hallucination: false,
      explanation: "",
      claims: claims.map(makeClaim),
      search_results: [],
      usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
    },
  };
}

const wrong = (check: Claim["check"], source?: TextSource): Made => ({
  verdict: "contradicted",
  check,
  ...(source === undefined ? {} : { source }),
});
const right: Made = { verdict: "supported", check: "grounding" };
const open: Made = { verdict: "not_checkable", check: "none" };

test.each<[string, Verification]>([
  ["Contradicted by the document", verification("a", right, wrong("grounding", "document"))],
  ["Not supported by the document", verification("a", wrong("grounding"))],
  ["Contradicted by the prompt", verification(null, wrong("grounding", "prompt"), wrong("arithmetic", "response"))],
  ["The arithmetic is wrong", verification("a", wrong("arithmetic", "response"), right)],
  ["Contradicts itself", verification(null, wrong("consistency", "response"))],
  ["Contradicted", verification(null, wrong("arithmetic"), wrong("dates"))],
  ["Supported", verification("a", right)],
  ["Supported, as far as it could be checked", verification("a", right, open)],
  ["In the form that was asked for", verification(null, { verdict: "supported", check: "instructions" }, open)],
  ["Nothing could be checked", verification(null, open)],
  ["Nothing could be checked", verification(null)],
])("%s", (words, made) => expect(describeResult(made).words).toBe(words));

test("claims are counted in words", () => {
  const { claims } = verification(null, right, open, open, wrong("dates")).result;
  expect(describeCounts(claims)).toBe("1 contradicted, 1 supported, 2 not checkable");
  expect(describeCounts([])).toBe("");
});

test("a judge has a name", () => {
  const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
  const choices: JudgeChoice[] = [
    { judge: "rules", model },
    { judge: "model", model },
    { judge: "both", model },
    { judge: "both", model: null },
  ];
  expect(choices.map(nameJudge)).toEqual([
    "Rules",
    "Llama 3.3 70B",
    "Rules, then Llama 3.3 70B",
    "Rules, then a model",
  ]);
});
