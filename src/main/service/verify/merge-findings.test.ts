import { expect, test } from "vitest";
import type { Verdict, VerifyCheck } from "#contract";
import { mergeFindings } from "./merge-findings.ts";
import type { Finding } from "./types.ts";

function finding(check: VerifyCheck, verdict: Verdict, start: number, end: number): Finding {
  return { check, verdict, range: { start, end }, reason: `${check} ${verdict} ${start}.`, evidence: [] };
}

const outer = (check: VerifyCheck, verdict: Verdict) => finding(check, verdict, 0, 20);
const inner = (check: VerifyCheck, verdict: Verdict) => finding(check, verdict, 5, 8);

test("findings come in the order of the response", () => {
  const late = finding("dates", "supported", 30, 35);
  expect(mergeFindings([late, inner("grounding", "contradicted")])).toEqual([inner("grounding", "contradicted"), late]);
});

test("for the same range a contradiction wins over support, and support over what can't be checked", () => {
  const all = (["not_checkable", "supported", "contradicted"] as const).map((verdict) => outer("grounding", verdict));
  expect(mergeFindings(all)).toEqual([outer("grounding", "contradicted")]);
  expect(mergeFindings(all.slice(0, 2))).toEqual([outer("grounding", "supported")]);
});

test("two checks that contradict the same range are both heard, each once", () => {
  const two = [outer("arithmetic", "contradicted"), outer("dates", "contradicted")];
  expect(mergeFindings([...two, ...two])).toEqual(two);
});

test("that the document lacks something is not said where another check says why it is wrong", () => {
  const two = [outer("grounding", "contradicted"), outer("arithmetic", "contradicted")];
  expect(mergeFindings(two)).toEqual([outer("arithmetic", "contradicted")]);
});

test("of one check's nested findings the inner contradiction or the outer support stays", () => {
  expect(mergeFindings([outer("grounding", "contradicted"), inner("grounding", "contradicted")])).toEqual([
    inner("grounding", "contradicted"),
  ]);
  expect(mergeFindings([outer("grounding", "supported"), inner("grounding", "contradicted")])).toEqual([
    inner("grounding", "contradicted"),
  ]);
  expect(mergeFindings([outer("grounding", "supported"), inner("grounding", "supported")])).toEqual([
    outer("grounding", "supported"),
  ]);
});

test("nested findings of different checks stay apart", () => {
  const findings = [outer("instructions", "contradicted"), inner("grounding", "supported")];
  expect(mergeFindings(findings)).toEqual(findings);
});
