import { z } from "zod";
import { errorBodySchema } from "#contract";

/** A body of another type than JSON. */
interface OtherBody {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

type Answers = Record<string, z.ZodType | OtherBody>;

/** The answers of a route that fails. */
export const failures: Answers = { "4XX": errorBodySchema, "5XX": errorBodySchema };

/** What a route answers, for readers of the API description: a body for success, the error body for the rest. */
export function answers(success: z.ZodType, failure: z.ZodType = errorBodySchema): Answers {
  return { 200: success, "4XX": failure, "5XX": failure };
}

/** The same for a body that can be asked for as server-sent events, too. */
export function answersOrEvents(success: z.ZodType, failure: z.ZodType = errorBodySchema): Answers {
  const content = { "application/json": { schema: success }, "text/event-stream": { schema: z.string() } };
  return { 200: { description: "The whole, or piece by piece.", content }, "4XX": failure, "5XX": failure };
}

/** The same for a body of another type than JSON, whole or (206) in part. */
export function answersOf(
  contentType: string,
  description: string,
  statuses: readonly number[] = [200],
  failure: z.ZodType = errorBodySchema,
): Answers {
  const body = { description, content: { [contentType]: { schema: z.string() } } };
  return { ...Object.fromEntries(statuses.map((status) => [status, body])), "4XX": failure, "5XX": failure };
}

/** A whole number in a query string, where numbers are texts. */
export function integerInQuery(least: number, most: number, usual: number) {
  return z
    .preprocess(
      (value) => (typeof value === "string" && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value),
      z.int().min(least).max(most),
    )
    .default(usual)
    .meta({ type: "integer", minimum: least, maximum: most, default: usual });
}

/** The query of a list: how many at most, and the id after which it begins. A limit of 0 is an empty page. */
export function listQuery(limit: { most: number; default: number }) {
  return z.object({ limit: integerInQuery(0, limit.most, limit.default), after: z.string().optional() });
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
