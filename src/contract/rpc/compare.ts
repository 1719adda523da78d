import { z } from "zod";
import { verdictCountsSchema } from "../claim-counts.ts";
import { answerPrefix, lineStateSchema } from "../result-columns.ts";
import { batchCostSchema } from "./batches.ts";
import { procedure } from "./errors.ts";
import { gradeSchema } from "./grades.ts";
import { misfitSchema, resultDetailSchema, rowValuesSchema, wantedSourceColumns } from "./results.ts";
import { lineVerdictSchema } from "./verifications.ts";

/** Most batches that are compared at once. */
export const mostCompared = 6;

export const comparedIds = z
  .array(z.string())
  .min(2)
  .max(mostCompared)
  .refine((ids) => new Set(ids).size === ids.length, "Each batch is named once.");

const place = z
  .int()
  .min(0)
  .max(mostCompared - 1);

/** Which of the lines that the batches have in common are shown. */
export const comparisonFilterSchema = z.object({
  /** Those that some batches answer differently, that one has no answer to, or whose grades differ. */
  show: z.enum(["all", "changed", "unanswered", "grades"]).default("all"),
  /** Two batches by their places: lines that the first passes and the second fails. */
  win: z.object({ winner: place, loser: place }).optional(),
  /** A text that is in the request or the answer of one of the batches, in any case. */
  search: z.string().min(1).max(500).optional(),
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
  /** Null for a batch that has not been graded. `interval`: the 95 % interval (Wilson) of those that passed; null where none has a grade. */
  grades: z
    .object({ passed: z.int(), failed: z.int(), interval: z.tuple([z.number(), z.number()]).nullable() })
    .nullable(),
  /** Null where none is known. */
  cost: batchCostSchema.nullable(),
  /** Lines that have been verified, and those with something contradicted or not found; null for a batch that has not been. */
  verified: z.object({ lines: z.int(), doubtful: z.int() }).nullable(),
});
export type ComparedBatch = z.infer<typeof comparedBatchSchema>;

export const comparisonSchema = z.object({
  /** What is compared: `answer`, or a path into answers that are JSON (`answer.label`). */
  by: z.string(),
  /** The column that the graded ones are graded against; null where none is, or they are by different columns. */
  expected: z.string().nullable(),
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
  /** Each other batch that is graded as the baseline is: by the same grader and column. */
  pairs: z.array(
    z.object({
      /** The place of the other batch. */
      place: z.int(),
      /** Lines that it passes and the baseline fails, and the other way round. */
      won: z.int(),
      lost: z.int(),
      /** How likely so uneven a split is by chance: McNemar's exact test, corrected for the number of pairs (Holm). */
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
  /** What its request sends as pictures there, as a row of results has it. */
  picture: z.string().optional(),
  /** The cells of the columns of the first batch's table that were asked for (`source.city`). */
  values: rowValuesSchema,
  cells: z.array(
    z.object({
      state: lineStateSchema,
      /** What is compared of the answer, around its first difference, or the error's message; null where it is missing. */
      text: z.string().nullable(),
      grade: gradeSchema.nullable(),
      verdict: lineVerdictSchema.nullable(),
      claims: verdictCountsSchema.nullable(),
      /** Where the answer breaks the schema that its request asks for; left out where it fits, and where none was asked for. */
      misfits: z.array(misfitSchema).optional(),
    }),
  ),
});
export type ComparisonRow = z.infer<typeof comparisonRowSchema>;

/** What is compared. Default: what all batches are graded by, else the whole answer. */
export const comparedBy = z
  .string()
  .refine((by) => by === "answer" || by.startsWith(answerPrefix), "It is `answer` or begins with `answer.`.");

const compared = z.object({ ids: comparedIds, by: comparedBy.optional() });

export const compareContract = {
  /** `baseline`: the place of the batch that the others are held against. */
  summary: procedure.input(compared.extend({ baseline: place.default(0) })).output(comparisonSchema),
  /** Rows `offset` … `offset + limit - 1` of those that the filter leaves: changed answers first, then lines without one. */
  page: procedure
    .input(
      compared.extend({
        filter: comparisonFilterSchema,
        offset: z.int().min(0),
        limit: z.int().min(1).max(200),
        sourceColumns: wantedSourceColumns,
      }),
    )
    .output(z.object({ total: z.int(), rows: z.array(comparisonRowSchema) })),
  /** The row of a line of the first batch, from 0, among those that the filter leaves; null when it is not one of them. */
  rowOf: procedure
    .input(compared.extend({ filter: comparisonFilterSchema, line: z.int().min(1) }))
    .output(z.int().nullable()),
  /** A line of the first batch in full, then the same of each other one. */
  line: procedure.input(z.object({ ids: comparedIds, line: z.int().min(1) })).output(z.array(resultDetailSchema)),
};
