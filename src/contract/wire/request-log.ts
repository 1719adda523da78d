import { z } from "zod";
import { countSchema } from "./numbers.ts";

/**
 * What has become of a request: its answer is whole (`completed`), its client left before that (`aborted`), or the server
 * itself broke the answer off (`dropped`), as the faults `drop` and `cut_after` do.
 */
export const requestStates = ["in_progress", "completed", "aborted", "dropped"] as const;

/** A request that the server was sent, with every key masked. */
export const loggedRequestSchema = z.object({
  /** The `x-request-id` of its answer. */
  id: z.string(),
  object: z.literal("request"),
  /** The scope that it named, else `default`. */
  scope: z.string(),
  /** The rule that answered it, by its place in the list of the scope at the time, from 0, and its name; null where none did. */
  rule: z.object({ index: z.int(), name: z.string().nullable() }).nullable(),
  state: z.enum(requestStates),
  /** When its answer ended, in UTC; while it has not, when the request came. */
  answered_at: z.string(),
  method: z.string(),
  path: z.string(),
  /** What follows the `?`; empty where nothing does. */
  query: z.string(),
  /** Null where no answer began. */
  status: countSchema.nullable(),
  /** From its arrival to the end of its answer; while it has not ended, until now. */
  duration_ms: z.number(),
  /** How many bytes of the answer were sent, with its headers. */
  bytes_sent: countSchema,
  headers: z.record(z.string(), z.string()),
  /** The JSON body as it was sent; null for any other body, for none, and for one that was dropped. */
  body: z.unknown(),
  /** Whether a body of it, the answer's included, is no longer kept, or had more than 1 MB. */
  body_dropped: z.boolean(),
  /** What it was answered with. */
  response: z.object({
    headers: z.record(z.string(), z.string()),
    /** The JSON, or the text of server-sent events; null for a file, and for one that was dropped. */
    body: z.unknown(),
  }),
});
export type LoggedRequest = z.infer<typeof loggedRequestSchema>;
