import { z } from "zod";
import { batchStatusSchema, type ResultFilter, resultFilterSchema } from "#contract";

export const sortColumns = [
  "name",
  "status",
  "progress",
  "failed",
  "timeLeft",
  "quality",
  "model",
  "connection",
  "cost",
  "created",
] as const;
export type SortColumn = (typeof sortColumns)[number];

/** What the address says of the list of batches. What is odd in it is dropped, not refused. */
export const batchesSearchSchema = z.object({
  status: z.array(batchStatusSchema).min(1).optional().catch(undefined),
  find: z.string().min(1).max(200).optional().catch(undefined),
  sort: z.enum(sortColumns).optional().catch(undefined),
  order: z.enum(["asc", "desc"]).optional().catch(undefined),
});
export type BatchesSearch = z.infer<typeof batchesSearchSchema>;

const { states, finish, verdicts, grades, kinds, errors, columns } = resultFilterSchema.shape;

/** What the address says of one batch: the tab, the line that is open in the inspector, which lines are shown, and what is looked for. */
export const batchSearchSchema = z.object({
  tab: z.enum(["results", "errors", "charts", "problems", "verification", "grades", "raw"]).optional().catch(undefined),
  line: z.int().min(1).optional().catch(undefined),
  /** Whether the results of its retries are taken in. */
  merged: z.literal(true).optional().catch(undefined),
  states: states.catch(undefined),
  finish: finish.catch(undefined),
  verdicts: verdicts.catch(undefined),
  grades: grades.catch(undefined),
  kinds: kinds.catch(undefined),
  errors: errors.catch(undefined),
  columns: columns.catch(undefined),
  q: z.string().min(1).max(500).optional().catch(undefined),
  /** The column that is charted, and the one against it. */
  chart: z.string().min(1).max(500).optional().catch(undefined),
  against: z.string().min(1).max(500).optional().catch(undefined),
});
export type BatchSearch = z.infer<typeof batchSearchSchema>;

const filterKeys = ["states", "finish", "verdicts", "grades", "kinds", "errors", "columns"] as const;

/** Which lines an address asks for. */
export function filterOf(search: BatchSearch): ResultFilter {
  return Object.fromEntries(filterKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])));
}

/** The address of the lines that a filter leaves, with nothing left of another filter. */
export function searchOf(filter: ResultFilter): Pick<BatchSearch, (typeof filterKeys)[number]> {
  const { states, finish, verdicts, grades, kinds, errors, columns } = filter;
  return { states, finish, verdicts, grades, kinds, errors, columns };
}
