import { z } from "zod";
import { type FindingKind, type Verdict, type VerifyResult, verdictSchema } from "#contract";
import { verdictOf } from "../verify/index.ts";
import type { Outcome } from "./run-file.ts";

/** What came of verifying one response, as it crosses the border of the worker. */
export const verdictOutcomeSchema = z.object({
  mark: verdictSchema,
  /** How many of its findings of each kind are contradicted or not found. */
  tally: z.record(z.string(), z.int().min(1)),
  result: z.string(),
});

export function toVerdictOutcome(result: VerifyResult): Outcome<Verdict> {
  return { mark: verdictOf(result), tally: countKinds(result), result: JSON.stringify(result) };
}

/** How many findings of each kind are contradicted or not found. */
export function countKinds({ claims }: VerifyResult): Partial<Record<FindingKind, number>> {
  const kinds: Partial<Record<FindingKind, number>> = {};
  for (const { kind, verdict } of claims.flatMap(({ findings }) => findings)) {
    if (kind === null || (verdict !== "contradicted" && verdict !== "not_found")) continue;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}
