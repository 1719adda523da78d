import { z } from "zod";
import { columnPathSchema, filterShape } from "./result-columns.ts";
import { findingKindSchema } from "./wire/verify.ts";

/** Most characters of a value of a condition. */
export const mostValueCharacters = 1_000;
const conditionValue = z.string().max(mostValueCharacters);

/** Most values of a condition `one_of`. */
export const mostValues = 100;
/** The most values of a list that is stored with a batch, and their characters together. */
export const mostListedValues = 10_000;
const mostListedCharacters = 2_000_000;

/** A list of values that is stored with a batch, because an address has no room for so many. */
export const valueListSchema = z
  .array(conditionValue)
  .min(1)
  .max(mostListedValues)
  .refine(
    (values) => values.reduce((sum, { length }) => sum + length, 0) <= mostListedCharacters,
    "The values have more than 2,000,000 characters together.",
  );

/**
 * A condition on a column: one of `resultColumns`, `answer.<JSON path>`, `tool.<name>`, `choice.<number>` or `source.<column>`. Conditions
 * on answers concern answered lines alone. A value that is missing, null or blank is empty; what is empty does not equal anything.
 */
export const columnConditionSchema = z.discriminatedUnion("op", [
  z.object({
    path: columnPathSchema,
    op: z.enum([
      "contains",
      "not_contains",
      "starts_with",
      "ends_with",
      "equals",
      "not_equals",
      "greater",
      "at_least",
      "less",
    ]),
    value: conditionValue,
  }),
  z.object({ path: columnPathSchema, op: z.literal("one_of"), values: z.array(conditionValue).min(1).max(mostValues) }),
  /** One of a list that is stored with the batch, by its id; `count` is how many values it has. */
  z.object({
    path: columnPathSchema,
    op: z.literal("in_list"),
    list: z.string().regex(/^[0-9a-f]{32}$/),
    count: z.int().min(1),
  }),
  z.object({ path: columnPathSchema, op: z.enum(["empty", "not_empty"]) }),
  /** Its request asks for JSON by a schema, and the answer is not JSON or does not fit. */
  z.object({ path: z.literal("answer"), op: z.literal("breaks_schema") }),
]);
export type ColumnCondition = z.infer<typeof columnConditionSchema>;

/** The most conditions of one filter. */
export const mostConditions = 20;

/** Which lines of a batch are meant: those that fit every member that is there. Within a member, one of its values is enough. */
export const resultFilterSchema = z.object({
  /** Values of columns: `states`, `finish`, `verdicts`, `grades`, `errors`. */
  ...filterShape,
  /** Of findings that are contradicted or not found. */
  kinds: z.array(findingKindSchema).min(1).optional(),
  columns: z.array(columnConditionSchema).min(1).max(mostConditions).optional(),
  /** A text anywhere in the request or its answer, in any case. */
  search: z.string().min(1).max(500).optional(),
});
export type ResultFilter = z.infer<typeof resultFilterSchema>;

/** By which column lines are sorted; those without a value come last. */
export const resultSortSchema = z.object({ by: columnPathSchema, descending: z.boolean() });
export type ResultSort = z.infer<typeof resultSortSchema>;
