import { z } from "zod";
import { errorBodySchema } from "#contract";

type Answers = Record<string, z.ZodType>;

/** The answers of a route that fails. */
export const failures: Answers = { "4xx": errorBodySchema, "5xx": errorBodySchema };

/** What a route answers, for readers of the API description: a body for success, the error body for the rest. */
export function answers(success: z.ZodType): Answers {
  return { 200: success, ...failures };
}

/** A whole number in a query string. */
function integerInQuery(least: number, most: number) {
  return z.preprocess(
    (value) => (typeof value === "string" && /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    z.int().min(least).max(most),
  );
}

/** The query of a list: how many at most, and the id after which it begins. A limit of 0 is an empty page. */
export function listQuery(limit: { most: number; default: number }) {
  return z.object({
    limit: integerInQuery(0, limit.most).default(limit.default),
    after: z.string().optional(),
  });
}

/** A list of things with ids. */
export function listOf(item: z.ZodType) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  });
}
