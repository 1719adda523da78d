import { expect, test } from "vitest";
import type { Claim, TextSpan } from "#contract";
import { countVerdicts, quoteEvidence, readContext } from "./describe-claims.ts";

const span: TextSpan = { source: "response", start: 0, end: 4, text: "1932" };
const inDocument: TextSpan = { source: "document", start: 8, end: 12, text: "1937" };
const claim = (change: Partial<Claim>): Claim => ({
  span,
  verdict: "contradicted",
  judge: "rules",
  findings: [],
  ...change,
});

test("evidence is quoted once, and never the claim itself or nothing", () => {
  const nothing: TextSpan = { source: "prompt", start: 3, end: 3, text: "" };
  const evidence = [span, inDocument, nothing, { ...inDocument }];
  const finding = { kind: "date" as const, verdict: "contradicted" as const, span, reason: "It says 1937.", evidence };
  expect(quoteEvidence(claim({ findings: [finding] }))).toEqual([inDocument]);
});

test("claims are counted by verdict", () => {
  expect(countVerdicts([claim({}), claim({ verdict: "supported" }), claim({})])).toEqual({
    contradicted: 2,
    not_found: 0,
    supported: 1,
    not_checkable: 0,
  });
});

function around(response: string, text: string) {
  const start = response.indexOf(text);
  const { before, claim, after } = readContext(response, { source: "response", start, end: start + text.length, text });
  return `${before}[${claim}]${after}`;
}

test("a claim is shown in its sentence", () => {
  expect(around("It was built. The bridge opened in 1932 to traffic. It is red.", "1932")).toBe(
    "The bridge opened in [1932] to traffic.",
  );
});

test("a sentence, a line or a whole text that is the claim has nothing around it", () => {
  expect(around("One is so. Two is so. Three is so.", "Two is so.")).toBe("[Two is so.]");
  expect(around("a\nTwo\nb", "Two")).toBe("[Two]");
  expect(around("Two", "Two")).toBe("[Two]");
});

test("a long sentence is cut between words", () => {
  const words = "word ".repeat(40);
  expect(around(`${words}1932 ${words}`, "1932")).toMatch(/^…(word )+\[1932\]( word)+…$/);
});

test("no comma stands before the ellipsis", () => {
  expect(around(`In 1932 ${"a".repeat(50)}, ${"b".repeat(50)}`, "1932")).toMatch(/^In \[1932\] a+…$/);
});

test("a span that is of another text stands alone", () => {
  expect(readContext("Short", { source: "response", start: 40, end: 44, text: "1932" })).toEqual({
    before: "",
    claim: "1932",
    after: "",
  });
});
