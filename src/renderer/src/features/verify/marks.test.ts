import { expect, test } from "vitest";
import { type Claim, countClaims, type TextSpan, type Verdict, type VerifyResult } from "#contract";
import { findClaimAt, findMarkOf, listMarks } from "./marks.ts";

const span = (source: TextSpan["source"], start: number, end: number): TextSpan => ({
  source,
  start,
  end,
  text: "x".repeat(end - start),
});
const claim = (start: number, end: number, verdict: Verdict, found: TextSpan, evidence: TextSpan[]): Claim => ({
  span: span("response", start, end),
  verdict,
  judge: "rules",
  findings: [{ kind: "date", verdict, span: found, reason: "", evidence }],
});
const claims = [
  claim(30, 40, "supported", span("response", 32, 36), [span("document", 5, 9), span("prompt", 3, 3)]),
  claim(0, 20, "contradicted", span("response", 4, 8), [span("document", 5, 9)]),
];
const result: VerifyResult = {
  prompt: "",
  response: "",
  is_hallucination: true,
  explanation: "",
  search_results: [],
  usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
  claims,
  counts: countClaims(claims),
};

test("a response is marked by claim and by what was found in it", () => {
  expect(listMarks(result, "response")).toEqual([
    { start: 0, end: 20, kind: "claim", tone: "bad", claims: [1] },
    { start: 4, end: 8, kind: "finding", tone: "bad", claims: [1] },
    { start: 30, end: 40, kind: "claim", tone: "good", claims: [0] },
    { start: 32, end: 36, kind: "finding", tone: "good", claims: [0] },
  ]);
});

test("evidence that claims share is marked once, by the gravest of them, and none that is empty", () => {
  expect(listMarks(result, "document")).toEqual([{ start: 5, end: 9, kind: "evidence", tone: "bad", claims: [0, 1] }]);
  expect(listMarks(result, "prompt")).toEqual([]);
});

test("a position belongs to the claim of the shortest mark around it", () => {
  const marks = listMarks(result, "response");
  expect([0, 5, 20, 35].map((at) => findClaimAt(marks, at))).toEqual([1, 1, null, 0]);
});

test("a claim is brought into view before its evidence", () => {
  expect(findMarkOf(listMarks(result, "response"), 1)).toMatchObject({ start: 0 });
  expect(findMarkOf(listMarks(result, "document"), 1)).toMatchObject({ start: 5 });
  expect(findMarkOf(listMarks(result, "prompt"), 1)).toBeNull();
});

test("a finding about the form of the whole response leaves the marks of its sentences to be seen", () => {
  const whole = span("response", 0, 40);
  const form: Claim = {
    ...claim(0, 40, "contradicted", whole, [span("prompt", 0, 9)]),
    findings: [
      { kind: "instruction", verdict: "contradicted", span: whole, reason: "", evidence: [span("prompt", 0, 9)] },
    ],
  };
  const marks = listMarks({ ...result, claims: [form] }, "response");
  expect(marks.map(({ kind }) => kind)).toEqual(["claim"]);
  expect(listMarks({ ...result, claims: [form] }, "prompt")).toMatchObject([{ kind: "evidence", tone: "bad" }]);
});
