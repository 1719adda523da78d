import { z } from "zod";
import { type LineVerdict, lineVerdictSchema, type VerifyResult, verifyCheckSchema } from "#contract";

/** What the verification of one response came to, with the result as it is put down. */
export const judgementSchema = z.object({
  verdict: lineVerdictSchema,
  /** The check of each claim that is contradicted. */
  contradictedBy: z.array(verifyCheckSchema),
  /** The whole `VerifyResult` as JSON. */
  result: z.string(),
});
export type Judgement = Readonly<z.infer<typeof judgementSchema>>;

/** One word for a result: a hallucination, or supported where at least one claim is. */
export function verdictOf({ is_hallucination, claims }: VerifyResult): LineVerdict {
  if (is_hallucination) return "hallucination";
  return claims.some(({ verdict }) => verdict === "supported") ? "supported" : "not_checkable";
}

export function toJudgement(result: VerifyResult): Judgement {
  const contradicted = result.claims.filter(({ verdict }) => verdict === "contradicted");
  return {
    verdict: verdictOf(result),
    contradictedBy: contradicted.map(({ check }) => check),
    result: JSON.stringify(result),
  };
}
