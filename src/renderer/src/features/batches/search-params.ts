import { z } from "zod";
import { batchStatusSchema, gradeSchema, verdictSchema } from "#contract";

export const sortColumns = ["name", "status", "progress", "rate", "model", "created"] as const;
export type SortColumn = (typeof sortColumns)[number];

/** What the address says of the list of batches. What is odd in it is dropped, not refused. */
export const batchesSearchSchema = z.object({
  status: z.array(batchStatusSchema).min(1).optional().catch(undefined),
  find: z.string().min(1).max(200).optional().catch(undefined),
  sort: z.enum(sortColumns).optional().catch(undefined),
  order: z.enum(["asc", "desc"]).optional().catch(undefined),
});
export type BatchesSearch = z.infer<typeof batchesSearchSchema>;

/** What the address says of one batch: the tab, the line that is open in the inspector, and which lines are shown. */
export const batchSearchSchema = z.object({
  tab: z.enum(["results", "problems", "verification", "grades", "raw"]).optional().catch(undefined),
  line: z.int().min(1).optional().catch(undefined),
  verdict: verdictSchema.optional().catch(undefined),
  grade: gradeSchema.optional().catch(undefined),
});
export type BatchSearch = z.infer<typeof batchSearchSchema>;

/** Which lines of a batch are shown: those with the verdict and the grade, where one is asked for. */
export type ResultsFilter = Pick<BatchSearch, "verdict" | "grade">;
