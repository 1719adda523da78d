import { z } from "zod";
import { lineStateSchema, resultFilterSchema, resultSortSchema } from "../result-filter.ts";
import { chatMessageSchema } from "../wire/chat.ts";
import { procedure } from "./errors.ts";
import { gradeSchema } from "./grades.ts";
import { lineVerdictSchema } from "./verifications.ts";

/** One line of a batch: its request joined with what came of it. Long texts are cut for the table. */
export const resultRowSchema = z.object({
  /** The line of the input file, from 1. */
  line: z.int(),
  customId: z.string(),
  /** The last user message, at most 300 characters. */
  question: z.string(),
  state: lineStateSchema,
  /** The answer, or the error's message; at most 300 characters; empty while waiting. */
  answer: z.string(),
  finishReason: z.string().nullable(),
  /** What went wrong, as a code; null for a line that has not failed. */
  errorCode: z.string().nullable(),
  promptTokens: z.int().nullable(),
  /** Tokens of the answer. */
  completionTokens: z.int().nullable(),
  /** From the request to its answer; null when not known. */
  milliseconds: z.number().nullable(),
  /** What its verification came to; null for a line that has not been verified. */
  verdict: lineVerdictSchema.nullable(),
  /** Null for a line that has not been graded. */
  grade: gradeSchema.nullable(),
});
export type ResultRow = z.infer<typeof resultRowSchema>;

/** One line of a batch in full, for the inspector. */
export const resultDetailSchema = resultRowSchema.extend({
  messages: z.array(chatMessageSchema),
  /** The whole answer, or the whole error message. */
  answer: z.string(),
  model: z.string(),
  requestId: z.string().nullable(),
  statusCode: z.int().nullable(),
  /** The line of the input file, byte for byte as text. */
  rawRequest: z.string(),
  /** The line of the output or error file; null while waiting. */
  rawResponse: z.string().nullable(),
});
export type ResultDetail = z.infer<typeof resultDetailSchema>;

/** Whether each line comes with the newest answer that the batch or one of its retries has; sorted it is not then. */
const merged = z.boolean().optional();

export const resultsContract = {
  /**
   * Rows `offset` … `offset + limit - 1` of those that the filter leaves, in the order of the input file unless they are
   * sorted. `total` is how many there are.
   */
  page: procedure
    .input(
      z.object({
        batchId: z.string(),
        offset: z.int().min(0),
        limit: z.int().min(1).max(500),
        filter: resultFilterSchema.optional(),
        sort: resultSortSchema.optional(),
        merged,
      }),
    )
    .output(z.object({ total: z.int(), rows: z.array(resultRowSchema) })),
  line: procedure.input(z.object({ batchId: z.string(), line: z.int().min(1), merged })).output(resultDetailSchema),
};
