import { z } from "zod";
import { gradeSchema } from "./rpc/grades.ts";
import { lineVerdictSchema } from "./rpc/verifications.ts";
import { findingKindSchema } from "./wire/verify.ts";

/** `waiting`: not answered yet. `skipped`: never ran, because the batch was cancelled or expired. */
export const lineStateSchema = z.enum(["waiting", "answered", "failed", "skipped", "damaged"]);
export type LineState = z.infer<typeof lineStateSchema>;

/** What paths begin with of columns in answers that are JSON, and of those of the table that a batch was built from. */
export const answerPrefix = "answer.";
export const sourcePrefix = "source.";

const conditionPath = z.string().min(1).max(500);
const conditionValue = z.string().max(1_000);

/**
 * A condition on a column: `custom_id`, `question`, `answer`, `answer.<JSON path>`, `source.<column>`, `finish`, `status`,
 * `prompt_tokens`, `completion_tokens`, `milliseconds`, `verdict`, `grade`, `grade.expected`, `grade.given` or `error`.
 * Conditions on answers concern answered lines alone. A value that is missing, null or blank is empty; what is empty does not equal anything.
 */
export const columnConditionSchema = z.discriminatedUnion("op", [
  z.object({
    path: conditionPath,
    op: z.enum(["contains", "starts_with", "equals", "not_equals", "greater", "at_least", "less"]),
    value: conditionValue,
  }),
  z.object({ path: conditionPath, op: z.literal("one_of"), values: z.array(conditionValue).min(1).max(100) }),
  z.object({ path: conditionPath, op: z.literal("empty") }),
  /** Its request asks for JSON by a schema, and the answer is not JSON or does not fit. */
  z.object({ path: z.literal("answer"), op: z.literal("breaks_schema") }),
]);
export type ColumnCondition = z.infer<typeof columnConditionSchema>;

/** The most conditions of one filter. */
export const mostConditions = 20;

/** Which lines of a batch are meant: those that fit every member that is there. Within a member, one of its values is enough. */
export const resultFilterSchema = z.object({
  states: z.array(lineStateSchema).min(1).optional(),
  /** Reasons to finish as models give them: `stop`, `length` … */
  finish: z.array(z.string()).min(1).optional(),
  verdicts: z.array(lineVerdictSchema).min(1).optional(),
  grades: z.array(gradeSchema).min(1).optional(),
  /** Of findings that are contradicted or not found. */
  kinds: z.array(findingKindSchema).min(1).optional(),
  /** Codes of errors. */
  errors: z.array(z.string()).min(1).optional(),
  columns: z.array(columnConditionSchema).min(1).max(mostConditions).optional(),
  /** A text anywhere in the request or its answer, in any case. */
  search: z.string().min(1).max(500).optional(),
});
export type ResultFilter = z.infer<typeof resultFilterSchema>;

/** By which column lines are sorted; those without a value come last. */
export const resultSortSchema = z.object({ by: z.string().min(1).max(500), descending: z.boolean() });
export type ResultSort = z.infer<typeof resultSortSchema>;
