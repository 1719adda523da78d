import { z } from "zod";
import { findingKindSchema, type LineVerdict, lineVerdictSchema, type VerifyResult } from "#contract";
import { gravestOf } from "../verify/index.ts";

/** How many findings of each kind are contradicted or not found. */
export const kindCountsSchema = z.partialRecord(findingKindSchema, z.int().min(1));
export type KindCounts = Readonly<z.infer<typeof kindCountsSchema>>;

/** What the verification of one response came to. */
export const judgementSchema = z.object({
  verdict: lineVerdictSchema,
  kinds: kindCountsSchema,
  /** The whole `VerifyResult` as JSON. */
  result: z.string(),
});
export type Judgement = Readonly<z.infer<typeof judgementSchema>>;

/** The gravest verdict of a result's claims. */
export function verdictOf({ claims }: VerifyResult): LineVerdict {
  return gravestOf(claims.map(({ verdict }) => verdict));
}

export function toJudgement(result: VerifyResult): Judgement {
  const kinds: z.infer<typeof kindCountsSchema> = {};
  for (const { kind, verdict } of result.claims.flatMap(({ findings }) => findings)) {
    if (kind === null || (verdict !== "contradicted" && verdict !== "not_found")) continue;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return { verdict: verdictOf(result), kinds, result: JSON.stringify(result) };
}
