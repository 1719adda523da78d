import { z } from "zod";
import { columnPathSchema, type ResultFilter, resultFilterSchema, resultSortSchema } from "#contract";

const { search: _, ...members } = resultFilterSchema.shape;
type Members = typeof members;
const filterKeys = Object.keys(members) as (keyof Members)[];
/** The members of a filter; an odd one is dropped. */
const caught = Object.fromEntries(filterKeys.map((key) => [key, (members[key] as z.ZodType).catch(undefined)])) as {
  [Key in keyof Members]: z.ZodCatch<Members[Key]>;
};

/** The state of a batch's page in the address: the tab, the line in the inspector, which lines are shown, and what is looked for. */
export const batchSearchSchema = z.object({
  tab: z.enum(["results", "errors", "charts", "problems", "verification", "grades", "raw"]).optional().catch(undefined),
  line: z.int().min(1).optional().catch(undefined),
  /** Whether the results of its retries are included. */
  merged: z.literal(true).optional().catch(undefined),
  ...caught,
  sort: resultSortSchema.optional().catch(undefined),
  q: z.string().min(1).max(500).optional().catch(undefined),
  /** The column that is charted, and the one against it. */
  chart: columnPathSchema.optional().catch(undefined),
  against: columnPathSchema.optional().catch(undefined),
});
export type BatchSearch = z.infer<typeof batchSearchSchema>;

/** The filter that an address holds; a condition that it has twice is one. */
export function filterOf(search: BatchSearch): ResultFilter {
  const columns = search.columns && [...new Map(search.columns.map((one) => [JSON.stringify(one), one])).values()];
  const filter = { ...search, columns };
  return Object.fromEntries(filterKeys.flatMap((key) => (filter[key] === undefined ? [] : [[key, filter[key]]])));
}

/** The address of the lines that a filter leaves, with nothing left of another filter. */
export function searchOf(filter: ResultFilter): Pick<BatchSearch, keyof Members> {
  return Object.fromEntries(filterKeys.map((key) => [key, filter[key]]));
}

/** Whether not all lines are shown. */
export function hasFilter(filter: ResultFilter): boolean {
  return Object.values(filter).some((member) => member !== undefined);
}
