import { z } from "zod";
import {
  agreementKeys,
  agreementOf,
  type ClaimCounts,
  claimCountsSchema,
  claimKeys,
  type FindingKind,
  formKeys,
  formOf,
  storedVerifyResultSchema,
  type Verdict,
  type VerifyResult,
  verdictOf,
  verdictSchema,
} from "#contract";
import { parseJson } from "#main/storage";
import type { Outcome, Recount } from "./run-file.ts";

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
    ...tallyVerdicts(result),
    ...(form !== null && { [formKeys[form]]: 1 }),
    ...(agreement !== null && { [agreementKeys[agreement]]: 1 }),
    ...(fallback !== null && { [rulesAloneKey + fallback]: 1 }),
  };
  return { mark: verdictOf(result.counts), tally, result: JSON.stringify(result) };
}

/** The claims of a line by verdict, as a run tallies them. */
function tallyVerdicts({ counts }: Pick<VerifyResult, "counts">): Record<string, number> {
  return Object.fromEntries(
    verdictSchema.options.flatMap((verdict) => (counts[verdict] > 0 ? [[claimKeys[verdict], counts[verdict]]] : [])),
  );
}

/** Counts a line again whose mark meant something else. A line with an unreadable result keeps its counts. */
export const recountVerdict: Recount<Verdict> = ({ mark: before, tally }, json) => {
  const result = storedVerifyResultSchema.safeParse(parseJson(json.toString())).data;
  if (result === undefined) return { mark: before, tally };
  const { mark, tally: counted } = toVerdictOutcome(result);
  const alone = Object.entries(tally).filter(([key]) => key.startsWith(rulesAloneKey));
  return { mark, tally: { ...counted, ...Object.fromEntries(alone) } };
};

/** Adds the claims of a line to what was counted of it, without parsing its texts. A line that has them already stays as it is. */
export const addClaimCounts: Recount<Verdict> = ({ mark, tally }, json) => {
  const counts = readCounts(json);
  return counts === undefined ? { mark, tally } : { mark, tally: { ...tally, ...tallyVerdicts({ counts }) } };
};

const countedSchema = z.object({ counts: claimCountsSchema });
/** No string contains it, since quotation marks are escaped there, and no claim has such a member. */
const beforeCounts = ',"counts":';
/** The counts end with those of the form. */
const afterCounts = "}}";

function readCounts(json: Buffer): ClaimCounts | undefined {
  const at = json.lastIndexOf(beforeCounts);
  const end = at === -1 ? -1 : json.indexOf(afterCounts, at);
  const text = end === -1 ? "" : json.toString("utf8", at + 1, end + afterCounts.length);
  const found = countedSchema.safeParse(parseJson(`{${text}}`)).data;
  // The members of a result can be in another order.
  return (found ?? countedSchema.safeParse(parseJson(json.toString())).data)?.counts;
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
