import { expect, test } from "vitest";
import type { Claim, TextSpan } from "#contract";
import { countVerdicts, quoteEvidence } from "./describe-claims.ts";

const span: TextSpan = { source: "response", start: 0, end: 4, text: "1932" };
const inDocument: TextSpan = { source: "document", start: 8, end: 12, text: "1937" };
const claim = (change: Partial<Claim>): Claim => ({
  span,
  verdict: "contradicted",
  check: "grounding",
  reason: "The document says 1937.",
  evidence: [],
  ...change,
});

test("evidence is quoted once, and never the claim itself or nothing", () => {
  const nothing: TextSpan = { source: "prompt", start: 3, end: 3, text: "" };
  expect(quoteEvidence(claim({ evidence: [span, inDocument, nothing, { ...inDocument }] }))).toEqual([inDocument]);
});

test("claims are counted by verdict", () => {
  expect(countVerdicts([claim({}), claim({ verdict: "supported" }), claim({})])).toEqual({
    contradicted: 2,
    supported: 1,
    not_checkable: 0,
  });
});
