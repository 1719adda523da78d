import { z } from "zod";
import { type LineVerdict, lineVerdictSchema, type VerifyResult } from "#contract";

/** How many claims each check contradicted. */
export const contradictionsSchema = z.record(z.string(), z.int().min(1));
export type Contradictions = Readonly<z.infer<typeof contradictionsSchema>>;

/** What the verification of one response came to. */
export const judgementSchema = z.object({
  verdict: lineVerdictSchema,
  contradictions: contradictionsSchema,
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
  const contradictions: Record<string, number> = {};
  for (const { verdict, check } of result.claims) {
    if (verdict === "contradicted") contradictions[check] = (contradictions[check] ?? 0) + 1;
  }
  return { verdict: verdictOf(result), contradictions, result: JSON.stringify(result) };
}
