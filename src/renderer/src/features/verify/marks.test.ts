import { expect, test } from "vitest";
import type { Claim, TextSpan, VerifyResult } from "#contract";
import { findClaimAt, findMarkOf, listMarks } from "./marks.ts";

const span = (source: TextSpan["source"], start: number, end: number): TextSpan => ({
  source,
  start,
  end,
  text: "x".repeat(end - start),
});
const claim = (start: number, end: number, verdict: Claim["verdict"], evidence: TextSpan[]): Claim => ({
  span: span("response", start, end),
  verdict,
  judge: "rules",
  findings: [{ kind: null, verdict, span: span("response", start, end), reason: "", evidence }],
});
const result: VerifyResult = {
  prompt: "",
  response: "",
  is_hallucination: true,
  explanation: "",
  search_results: [],
  usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
  claims: [
    claim(0, 20, "contradicted", [span("document", 5, 9), span("response", 4, 8)]),
    claim(30, 40, "supported", [span("document", 5, 9), span("response", 0, 20), span("prompt", 3, 3)]),
  ],
};

test("claims of the response are marked by their verdict, and what they stand on inside of it", () => {
  expect(listMarks(result, "response")).toEqual([
    { start: 0, end: 20, kind: "claim", tone: "bad", claims: [0, 1] },
    { start: 4, end: 8, kind: "evidence", tone: null, claims: [0] },
    { start: 30, end: 40, kind: "claim", tone: "good", claims: [1] },
  ]);
});

test("evidence that claims share is marked once, and none that is empty", () => {
  expect(listMarks(result, "document")).toEqual([{ start: 5, end: 9, kind: "evidence", tone: null, claims: [0, 1] }]);
  expect(listMarks(result, "prompt")).toEqual([]);
});

test("a place belongs to the claim of the shortest mark around it", () => {
  const marks = listMarks(result, "response");
  expect([0, 5, 20, 35].map((at) => findClaimAt(marks, at))).toEqual([0, 0, null, 1]);
});

test("a claim is brought into view before what it stands on", () => {
  expect(findMarkOf(listMarks(result, "response"), 1)).toMatchObject({ start: 30 });
  expect(findMarkOf(listMarks(result, "document"), 1)).toMatchObject({ start: 5 });
  expect(findMarkOf(listMarks(result, "prompt"), 1)).toBeNull();
});
