import { z } from "zod";
import { type ComparisonFilter, comparedBy, mostCompared } from "#contract";

const place = z
  .int()
  .min(0)
  .max(mostCompared - 1)
  .optional()
  .catch(undefined);

/** The search parameters of a comparison. Invalid ones are dropped, not refused. */
export const compareSearchSchema = z.object({
  /** Of the batches, with commas between them. */
  ids: z.string().optional().catch(undefined),
  /** The place of the batch that the others are held against. The first by default. */
  baseline: place,
  /** Changed answers by default. */
  show: z.enum(["all", "changed", "unanswered", "grades"]).optional().catch(undefined),
  /** What of the answers is compared: `answer` or `answer.<path>`. What they are graded by, by default. */
  by: comparedBy.optional().catch(undefined),
  /** Two batches by their places: the lines that the first passes and the second fails. */
  winner: place,
  loser: place,
  /** What is searched. */
  find: z.string().min(1).max(500).optional().catch(undefined),
  /** The line of the first batch that is open in the inspector. */
  line: z.int().min(1).optional().catch(undefined),
});
export type CompareSearch = z.infer<typeof compareSearchSchema>;

/** The batches that are compared: those that an address names, as many as fit side by side. */
export function idsOf(search: Pick<CompareSearch, "ids">): string[] {
  return namedIn(search).slice(0, mostCompared);
}

/** The place of the batch that the others are held against. */
export function baselineOf({ baseline = 0 }: CompareSearch, ids: readonly string[]): number {
  return baseline < ids.length ? baseline : 0;
}

/** Batches that an address names beyond those that fit. */
export function waitingIdsOf(search: Pick<CompareSearch, "ids">): string[] {
  return namedIn(search).slice(mostCompared);
}

/** Each once. */
function namedIn({ ids = "" }: Pick<CompareSearch, "ids">): string[] {
  return [...new Set(ids.split(",").filter((id) => id !== ""))];
}

/** Which lines an address asks for. */
export function comparisonFilterOf({ show = "changed", winner, loser, find }: CompareSearch): ComparisonFilter {
  const search = find === undefined ? {} : { search: find };
  return winner === undefined || loser === undefined
    ? { show, ...search }
    : { show: "grades", win: { winner, loser }, ...search };
}
