import { expect, test } from "vitest";
import { verifyResultSchema } from "#contract";
import { createRulesVerifier } from "./create-verifier.ts";
import { judgeByRules } from "./rules-judge.ts";

const judge = (prompt: string, response: string, document: string | null = null) =>
  judgeByRules({ prompt, response, document, strict: false });

test("a result has the shape of the contract, and repeats what was verified", () => {
  const result = judge("Say something nice.", "Cats are soft.");
  expect(verifyResultSchema.parse(result)).toEqual(result);
  expect(result).toMatchObject({ prompt: "Say something nice.", response: "Cats are soft.", search_results: [] });
  expect(result.usage).toEqual({ completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 });
});

test("a response in which nothing can be looked up is not checkable, and the first words say that nothing was checked", () => {
  const result = judge("Tell me about cats.", "Cats are soft. They purr when they like you.");
  expect(result.is_hallucination).toBe(false);
  expect(result.explanation).toMatch(/^Nothing could be checked/);
  expect(result.claims.map(({ span, verdict, findings }) => [span.text, verdict, findings])).toEqual([
    ["Cats are soft.", "not_checkable", []],
    ["They purr when they like you.", "not_checkable", []],
  ]);
});

test.each(["", "   \n", "🦊🦊🦊 🎉", "..."])("a response that says nothing (%j) has no claims", (response) => {
  const result = judge("Tell me about cats.", response);
  expect(result.claims).toEqual([]);
  expect(result.explanation).toMatch(/^Nothing could be checked/);
});

test("what is wrong is told before what is not in the form that was asked for", () => {
  const result = judge("How many are 3 and 4? Answer in one sentence.", "I see. It is 3 + 4 = 8. So it is.");
  expect(result.explanation).toMatch(/^3 \+ 4 is 7, not 8\. Form broken: /);
  expect(result.counts).toEqual({
    contradicted: 1,
    not_found: 0,
    supported: 0,
    not_checkable: 2,
    form: { kept: 0, broken: 1 },
  });
});

test("form makes no response supported, and a broken one is wrong without being contradicted", () => {
  const kept = judge("Describe cheese in one sentence.", "It is soft.");
  expect(kept).toMatchObject({ is_hallucination: false, counts: { supported: 0, form: { kept: 1, broken: 0 } } });
  const broken = judge("Describe cheese in one sentence.", "It is soft. It is good.");
  expect(broken).toMatchObject({ is_hallucination: true, counts: { contradicted: 0, form: { kept: 0, broken: 1 } } });
  expect(broken.explanation).toMatch(/^Form broken: /);
});

test("greetings, headings and openings are no claims", () => {
  const response = "Sure! Here is the answer:\n## Cats\n\nCats are soft.\n\nLet me know if you have any questions!";
  expect(judge("Tell me about cats.", response).claims.map(({ span }) => span.text)).toEqual(["Cats are soft."]);
});

test("a response with thousands of claims lists the first thousand and says how many more there are", () => {
  const { claims } = judge("Talk.", "Cats are soft. ".repeat(3_000));
  expect(claims).toHaveLength(1_001);
  expect(claims.at(-1)).toMatchObject({ verdict: "not_checkable" });
  expect(claims.at(-1)?.findings[0]?.reason).toBe(
    "2,000 more claims are not listed: 0 contradicted, 0 not in the document, 0 supported.",
  );
});

test("the explanation says so when only the first part of a response was checked", () => {
  const { explanation } = judge("Talk.", "Cats are soft. ".repeat(70_000));
  expect(explanation).toContain("Only its first 100,000 characters were looked at.");
});

test("a verification that was cancelled before it began does not begin", async () => {
  const verifier = createRulesVerifier();
  const input = { prompt: "", response: "", document: null, strict: false };
  await expect(verifier.verify(input, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
});

test("reasoning before the response is not judged, and spans point into the response as it came", () => {
  const reasoning = "<think>It could be 1937. 3 + 4 = 9?</think>\n";
  const response = `${reasoning}The cafe\u0301 opened in\u200b 1932.`;
  const result = judge("When did it open?", response, "The caf\u00e9 was opened in 1937.");
  expect(result).toMatchObject({ response, is_hallucination: true });
  expect(result.claims.map(({ span }) => [span.start, span.text])).toEqual([
    [reasoning.length, "The cafe\u0301 opened in\u200b 1932."],
  ]);
  for (const { span } of result.claims.flatMap(({ findings }) => findings)) {
    expect(response.slice(span.start, span.end)).toBe(span.text);
  }
  expect(judge("Is it? Answer in one word.", "<think>Let me see, it may be.</think>Yes").is_hallucination).toBe(false);
  expect(judge("Is it?", "<think>It is 3 + 4 = 9").explanation).toContain("the response is empty");
});

test("without the form, no instruction about it is checked", () => {
  const input = { prompt: "Answer in one word.", response: "It is 3 + 4 = 8.", document: null, strict: false };
  expect(judgeByRules(input).counts).toMatchObject({ contradicted: 1, form: { broken: 1 } });
  expect(judgeByRules({ ...input, form: false }).counts).toMatchObject({
    contradicted: 1,
    form: { kept: 0, broken: 0 },
  });
});

test("a sentence that could not be checked has its nearest passage, numbers and negations first among the words that differ", () => {
  const document =
    "The hall opens in May. Visitors must not leave their 3 bags in the old hall before Ida Moen arrives.";
  const response = "<think>Hm.</think>Guests may leave their bags in the old hall once she comes. Cats are soft.";
  const { claims } = judge("Where?", response, document);
  expect(claims.map(({ verdict, nearest }) => [verdict, nearest?.span.text])).toEqual([
    ["not_checkable", "Visitors must not leave their 3 bags in the old hall before Ida Moen arrives."],
    ["not_checkable", undefined],
  ]);
  const words = claims[0]?.nearest?.differing.map(({ source, text, kind }) => `${source} ${kind} ${text}`);
  expect(words).toEqual([
    "response comparison may",
    "response word Guests",
    "response word once",
    "response word comes",
    "document number 3",
    "document name Ida",
    "document name Moen",
    "document negation not",
    "document comparison must",
    "document comparison before",
    "document word Visitors",
    "document word arrives",
  ]);
  for (const { source, start, end, text } of claims[0]?.nearest?.differing ?? []) {
    expect((source === "response" ? response : document).slice(start, end)).toBe(text);
  }
});
