import { z } from "zod";
import { type ComparisonFilter, mostCompared } from "#contract";

/** The search parameters of a comparison. Invalid ones are dropped, not refused. */
export const compareSearchSchema = z.object({
  /** Of the batches, with commas between them. */
  ids: z.string().max(2_000).catch(""),
  /** Changed answers by default. */
  show: z.enum(["all", "changed", "unanswered", "grades"]).optional().catch(undefined),
  winner: z
    .int()
    .min(0)
    .max(mostCompared - 1)
    .optional()
    .catch(undefined),
  /** The line of the first batch that is open in the inspector. */
  line: z.int().min(1).optional().catch(undefined),
});
export type CompareSearch = z.infer<typeof compareSearchSchema>;

/** The batches that are compared: those that an address names, as many as fit side by side. */
export function idsOf(search: Pick<CompareSearch, "ids">): string[] {
  return namedIn(search).slice(0, mostCompared);
}

/** Batches that an address names beyond those that fit. */
export function waitingIdsOf(search: Pick<CompareSearch, "ids">): string[] {
  return namedIn(search).slice(mostCompared);
}

/** Each once. */
function namedIn({ ids }: Pick<CompareSearch, "ids">): string[] {
  return [...new Set(ids.split(",").filter((id) => id !== ""))];
}

/** Which lines an address asks for. */
export function comparisonFilterOf({ show = "changed", winner }: CompareSearch): ComparisonFilter {
  return winner === undefined ? { show } : { show: "grades", winner };
}

/**
 * The mark of a batch among the others: ①, ②, ③ … No letters, which are what versions of a prompt are called, and no bare
 * digits, which are next to figures.
 */
export function markOf(place: number): string {
  return String.fromCharCode(0x2460 + place);
}
