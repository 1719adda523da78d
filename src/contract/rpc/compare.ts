import { z } from "zod";
import { lineStateSchema } from "../result-filter.ts";
import { procedure } from "./errors.ts";
import { gradeSchema } from "./grades.ts";
import { resultDetailSchema } from "./results.ts";
import { lineVerdictSchema } from "./verifications.ts";

/** Most batches that are compared at once. */
export const mostCompared = 6;

export const comparedIds = z
  .array(z.string())
  .min(2)
  .max(mostCompared)
  .refine((ids) => new Set(ids).size === ids.length, "Each batch is named once.");

/** Which of the lines that the batches have in common are shown. */
export const comparisonFilterSchema = z.object({
  /** Those that some batches answer differently, that one has no answer to, or whose grades differ. */
  show: z.enum(["all", "changed", "unanswered", "grades"]).default("all"),
  /** The place of a batch that passes where another fails. */
  winner: z
    .int()
    .min(0)
    .max(mostCompared - 1)
    .optional(),
});
export type ComparisonFilter = z.infer<typeof comparisonFilterSchema>;

/** The result of the common lines in one batch. */
export const comparedBatchSchema = z.object({
  id: z.string(),
  /** All of its lines, also those that others don't have. */
  lines: z.int(),
  answered: z.int(),
  failed: z.int(),
  /** Null where none is known. */
  promptTokens: z.int().nullable(),
  completionTokens: z.int().nullable(),
  /** The median from request to answer; null where none is known. */
  milliseconds: z.number().nullable(),
  /** Null for a batch that has not been graded. */
  grades: z.object({ passed: z.int(), failed: z.int() }).nullable(),
  /** Lines that have been verified, and those with something contradicted or not found; null for a batch that has not been. */
  verified: z.object({ lines: z.int(), doubtful: z.int() }).nullable(),
});
export type ComparedBatch = z.infer<typeof comparedBatchSchema>;

export const comparisonSchema = z.object({
  /** Lines whose custom_id all the batches have. */
  lines: z.int(),
  batches: z.array(comparedBatchSchema),
  /** Lines that all have answered, and those of them with one answer. */
  answered: z.int(),
  same: z.int(),
  /** Lines of each filter. */
  changed: z.int(),
  unanswered: z.int(),
  grades: z.int(),
  /** For each batch, the lines that it passes and another fails. */
  wins: z.array(z.int()),
  /** The first batch against each other one that is graded as it is. */
  pairs: z.array(
    z.object({
      /** The place of the other batch. */
      other: z.int(),
      onlyFirst: z.int(),
      onlyOther: z.int(),
      /** How likely so uneven a split is by chance (McNemar's exact test). */
      p: z.number(),
    }),
  ),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** A common line, with its result in each batch. */
export const comparisonRowSchema = z.object({
  /** In the first batch. */
  line: z.int(),
  customId: z.string(),
  /** The last user message in the first batch, cut. */
  question: z.string(),
  cells: z.array(
    z.object({
      state: lineStateSchema,
      /** The answer around its first difference, or the error's message. */
      text: z.string(),
      grade: gradeSchema.nullable(),
      verdict: lineVerdictSchema.nullable(),
    }),
  ),
});
export type ComparisonRow = z.infer<typeof comparisonRowSchema>;

const compared = z.object({ ids: comparedIds });

export const compareContract = {
  summary: procedure.input(compared).output(comparisonSchema),
  /** Rows `offset` … `offset + limit - 1` of those that the filter leaves: changed answers first, then lines without one. */
  page: procedure
    .input(compared.extend({ filter: comparisonFilterSchema, offset: z.int().min(0), limit: z.int().min(1).max(200) }))
    .output(z.object({ total: z.int(), rows: z.array(comparisonRowSchema) })),
  /** A line of the first batch in full, then the same of each other one. */
  line: procedure.input(compared.extend({ line: z.int().min(1) })).output(z.array(resultDetailSchema)),
};
