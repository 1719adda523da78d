import { z } from "zod";
import { type ResultFilter, resultFilterSchema, resultSortSchema } from "#contract";

const { states, finish, verdicts, grades, kinds, errors, columns } = resultFilterSchema.shape;

/** The state of a batch's page in the address: the tab, the line in the inspector, which lines are shown, and what is looked for. */
export const batchSearchSchema = z.object({
  tab: z.enum(["results", "errors", "charts", "problems", "verification", "grades", "raw"]).optional().catch(undefined),
  line: z.int().min(1).optional().catch(undefined),
  /** Whether the results of its retries are included. */
  merged: z.literal(true).optional().catch(undefined),
  states: states.catch(undefined),
  finish: finish.catch(undefined),
  verdicts: verdicts.catch(undefined),
  grades: grades.catch(undefined),
  kinds: kinds.catch(undefined),
  errors: errors.catch(undefined),
  columns: columns.catch(undefined),
  sort: resultSortSchema.optional().catch(undefined),
  q: z.string().min(1).max(500).optional().catch(undefined),
  /** The column that is charted, and the one against it. */
  chart: z.string().min(1).max(500).optional().catch(undefined),
  against: z.string().min(1).max(500).optional().catch(undefined),
});
export type BatchSearch = z.infer<typeof batchSearchSchema>;

const filterKeys = ["states", "finish", "verdicts", "grades", "kinds", "errors", "columns"] as const;

/** The filter that an address holds; a condition that it has twice is one. */
export function filterOf(search: BatchSearch): ResultFilter {
  const columns = search.columns && [...new Map(search.columns.map((one) => [JSON.stringify(one), one])).values()];
  const filter = { ...search, columns };
  return Object.fromEntries(filterKeys.flatMap((key) => (filter[key] === undefined ? [] : [[key, filter[key]]])));
}

/** The address of the lines that a filter leaves, with nothing left of another filter. */
export function searchOf(filter: ResultFilter): Pick<BatchSearch, (typeof filterKeys)[number]> {
  const { states, finish, verdicts, grades, kinds, errors, columns } = filter;
  return { states, finish, verdicts, grades, kinds, errors, columns };
}

/** Whether not all lines are shown. */
export function hasFilter(filter: ResultFilter): boolean {
  return Object.values(filter).some((member) => member !== undefined);
}
