import type { LineGrade, VerifyResult } from "#contract";
import { verdictOf } from "../verify/index.ts";

const closingBrace = 0x7d;

/** What an exported line says of its verification. */
function summarize(result: VerifyResult) {
  return {
    verdict: verdictOf(result),
    is_hallucination: result.is_hallucination,
    explanation: result.explanation,
    claims: result.claims
      .filter(({ verdict }) => verdict === "contradicted" || verdict === "not_found")
      .map(({ span, verdict, judge, findings }) => ({
        text: span.text,
        start: span.start,
        end: span.end,
        verdict,
        judge,
        findings: findings.map(({ kind, verdict, reason }) => ({ kind, verdict, reason })),
      })),
  };
}

/** What came of a line besides its answer. */
interface LineMembers {
  readonly verification: VerifyResult | null | undefined;
  readonly grade: LineGrade | null | undefined;
}

/** A line of an output file with more members at its end; not a byte before them is another. */
export function addMembers(line: Buffer, { verification, grade }: LineMembers): Buffer {
  const added =
    (verification ? `,"verification":${JSON.stringify(summarize(verification))}` : "") +
    (grade ? `,"grade":${JSON.stringify(grade)}` : "");
  if (added === "") return line;
  return Buffer.concat([line.subarray(0, line.lastIndexOf(closingBrace)), Buffer.from(`${added}}\n`)]);
}
