import type { VerifyResult } from "#contract";
import { verdictOf } from "../verdicts/index.ts";

const closingBrace = 0x7d;

/** What an exported line says of its verification. */
function summarize(result: VerifyResult) {
  return {
    verdict: verdictOf(result),
    is_hallucination: result.is_hallucination,
    explanation: result.explanation,
    contradicted_claims: result.claims
      .filter(({ verdict }) => verdict === "contradicted")
      .map(({ span, check, reason }) => ({ text: span.text, start: span.start, end: span.end, check, reason })),
  };
}

/** A line of an output file with its verification as one more member at its end; not a byte before that is another. */
export function addVerification(line: Buffer, result: VerifyResult): Buffer {
  const end = line.lastIndexOf(closingBrace);
  return Buffer.concat([line.subarray(0, end), Buffer.from(`,"verification":${JSON.stringify(summarize(result))}}\n`)]);
}
