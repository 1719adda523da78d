import { z } from "zod";
import {
  agreementKeys,
  agreementOf,
  claimKeys,
  type FindingKind,
  formKeys,
  formOf,
  type Verdict,
  type VerifyResult,
  verdictOf,
  verdictSchema,
} from "#contract";
import type { Outcome } from "./run-file.ts";

/** The result of verifying one response, as it crosses the border of the worker. */
export const verdictOutcomeSchema = z.object({
  mark: verdictSchema,
  /** How many of its findings of each kind are contradicted or not found. */
  tally: z.record(z.string(), z.int().min(1)),
  result: z.string(),
});

/** Before the reason why the rules alone judged a line, among what a run counts. */
const rulesAloneKey = "rules alone: ";

/** @param fallback why the rules alone judged though a model was to; null where they were not alone, or meant to be */
export function toVerdictOutcome(result: VerifyResult, fallback: string | null = null): Outcome<Verdict> {
  const form = formOf(result.counts);
  const agreement = agreementOf(result.claims);
  const tally = {
    ...countKinds(result),
    ...countVerdicts(result),
    ...(form !== null && { [formKeys[form]]: 1 }),
    ...(agreement !== null && { [agreementKeys[agreement]]: 1 }),
    ...(fallback !== null && { [rulesAloneKey + fallback]: 1 }),
  };
  return { mark: verdictOf(result.counts), tally, result: JSON.stringify(result) };
}

/** How many claims of a line came to each verdict, by the key of what a run counts. */
function countVerdicts({ counts }: VerifyResult): Record<string, number> {
  return Object.fromEntries(
    verdictSchema.options.flatMap((verdict) => (counts[verdict] > 0 ? [[claimKeys[verdict], counts[verdict]]] : [])),
  );
}

/** What a line of an earlier version counts as today, by its result. */
export function recountVerdict({ tally }: Pick<Outcome<Verdict>, "tally">, result: VerifyResult) {
  const { mark, tally: counted } = toVerdictOutcome(result);
  const alone = Object.entries(tally).filter(([key]) => key.startsWith(rulesAloneKey));
  return { mark, tally: { ...counted, ...Object.fromEntries(alone) } };
}

/** Of what a run counts, the lines that the rules alone judged, by why. */
export function listRulesAlone(tallies: readonly (readonly [key: string, count: number])[]) {
  return tallies.flatMap(([key, count]) =>
    key.startsWith(rulesAloneKey) ? [{ problem: key.slice(rulesAloneKey.length), count }] : [],
  );
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
