import { expect, test } from "vitest";
import {
  type Claim,
  countClaims,
  describeClaimCounts,
  type Finding,
  formOf,
  type TextSpan,
  type Verdict,
  verdictOf,
} from "#contract";
import { countKinds, markEvidence, quoteEvidence, splitText } from "./describe-claims.ts";

const span = (source: TextSpan["source"], start: number, text: string): TextSpan => ({
  source,
  start,
  end: start + text.length,
  text,
});
const finding = (about: Partial<Finding>): Finding => ({
  kind: "date",
  verdict: "contradicted",
  span: span("response", 14, "1932"),
  reason: "The document says 1937.",
  evidence: [],
  ...about,
});
const claim = (about: Partial<Claim>): Claim => ({
  span: span("response", 0, "It opened in 1932."),
  verdict: "contradicted",
  judge: "rules",
  findings: [],
  ...about,
});
const claims = (...verdicts: Verdict[]) => verdicts.map((verdict) => claim({ verdict }));

test("evidence is quoted by whole passages, and never a part of the claim or nothing", () => {
  const passage = span("document", 0, "It opened in 1937.");
  const value = span("document", 13, "1937");
  const evidence = [span("response", 14, "1932"), value, passage, span("prompt", 3, ""), { ...passage }];
  expect(quoteEvidence(finding({ evidence }), claim({}))).toEqual([passage]);
});

test("a response is supported only where every claim is, and its form is a verdict of its own", () => {
  const summarize = (...all: Claim[]) => {
    const counts = countClaims(all);
    return [verdictOf(counts), formOf(counts), describeClaimCounts(counts)];
  };
  const form = (...verdicts: Verdict[]) =>
    claim({ findings: verdicts.map((verdict) => finding({ kind: "instruction", verdict })) });
  expect(summarize(...claims("supported", "not_checkable"))).toEqual([
    "not_checkable",
    null,
    "1 supported · 1 not checkable",
  ]);
  expect(summarize(...claims("supported", "supported"), form("supported"))).toEqual([
    "supported",
    "kept",
    "2 supported · form kept",
  ]);
  expect(summarize(...claims("not_checkable"), form("supported", "contradicted"))).toEqual([
    "not_checkable",
    "broken",
    "1 not checkable · form broken",
  ]);
  expect(summarize(form("supported"))).toEqual(["not_checkable", "kept", "form kept"]);
  expect(summarize(...claims("supported", "not_found", "contradicted"))).toEqual([
    "contradicted",
    null,
    "1 contradicted · 1 not in the document · 1 supported",
  ]);
  expect(summarize()).toEqual(["not_checkable", null, ""]);
});

test("kinds are counted by claim, however many findings of one it has", () => {
  const all = [
    claim({ findings: [finding({}), finding({}), finding({ kind: "name" })] }),
    claim({}),
    claim({ findings: [finding({ kind: null })] }),
  ];
  expect(countKinds(all)).toEqual([
    { kind: "date", count: 1 },
    { kind: "name", count: 1 },
  ]);
});

test("a text is cut where its marks begin and end, and the first of those that overlap is seen", () => {
  const marks = [
    { start: 14, end: 18, tone: "bad" },
    { start: 10, end: 16, tone: "good" },
    { start: 90, end: 95, tone: "good" },
  ] as const;
  const pieces = splitText("it was built in 1932", 2, marks);
  expect(pieces.map(({ text }) => text).join("")).toBe("it was built in 1932");
  expect(pieces.filter(({ tone }) => tone !== null)).toEqual([
    { start: 10, text: "uilt", tone: "good" },
    { start: 14, text: " i", tone: "bad" },
    { start: 16, text: "n ", tone: "bad" },
  ]);
  expect(splitText("", 0, marks)).toEqual([]);
});

test("evidence is marked in the text that it is a part of: a value with its verdict, its passage as context", () => {
  const evidence = [span("document", 0, "It opened in 1937."), span("document", 13, "1937"), span("prompt", 0, "When")];
  const one = finding({ evidence });
  expect(markEvidence(one, "document")).toEqual([
    { start: 13, end: 17, tone: "bad" },
    { start: 0, end: 18, tone: "context" },
  ]);
  expect(markEvidence(one, "prompt")).toEqual([{ start: 0, end: 4, tone: "bad" }]);
  expect(markEvidence(one, "response")).toEqual([]);
});
