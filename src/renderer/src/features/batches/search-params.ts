import { z } from "zod";
import { batchStatusSchema } from "#contract";

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

/** The search parameters of the list of batches. Invalid ones are dropped, not refused. */
export const batchesSearchSchema = z.object({
  /** `deleted`: the deleted batches in place of the others. */
  view: z.literal("deleted").optional().catch(undefined),
  status: z.array(batchStatusSchema).min(1).optional().catch(undefined),
  /** Only batches with lines that failed or are damaged. */
  failed: z.literal(true).optional().catch(undefined),
  find: z.string().min(1).max(200).optional().catch(undefined),
  sort: z.enum(sortColumns).optional().catch(undefined),
  order: z.enum(["asc", "desc"]).optional().catch(undefined),
});
export type BatchesSearch = z.infer<typeof batchesSearchSchema>;
