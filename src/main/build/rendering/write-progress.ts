import { z } from "zod";
import { problemSchema } from "#contract";

/** What is in a batch input file that was written from a table. */
const writeResultSchema = z.object({
  lines: z.int(),
  /** Rows that no line could be made of. */
  leftOut: z.int(),
  errorCount: z.int(),
  firstError: problemSchema.nullable(),
});
export type WriteResult = z.infer<typeof writeResultSchema>;

/** How far the writing is; `result` comes with the last word. */
export const writeProgressSchema = z.object({ done: z.int(), total: z.int(), result: writeResultSchema.nullable() });
export type WriteProgress = z.infer<typeof writeProgressSchema>;
