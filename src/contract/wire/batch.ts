import { z } from "zod";
import { batchStatusSchema } from "../batch-status.ts";
import { metadataSchema } from "./metadata.ts";
import { countSchema, timestampSchema } from "./numbers.ts";
import { responseUsageSchema } from "./response.ts";

/** The endpoint whose requests the app batches (service-interface.md, Batch). */
export const batchEndpoint = "/v1/chat/completions";

/** All whose requests can be batched (decisions.md, Validation errors of an input file). */
export const batchEndpoints = [
  batchEndpoint,
  "/v1/completions",
  "/v1/embeddings",
  "/v1/moderations",
  "/v1/responses",
] as const;
export type BatchEndpoint = (typeof batchEndpoints)[number];
/** The only completion window (service-interface.md, Limits). */
export const completionWindow = "24h";

/** One problem of a batch's input file, as it is in `errors.data`. `line` counts from 1. */
export const batchErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  param: z.string().nullable(),
  line: countSchema.nullable(),
});

/**
 * What a batch was made for next to another: lines of `root` asked again (`retry`), its rows with another prompt or model
 * (`version`), or a few rows of the draft `root` tried before they are submitted (`trial`).
 */
export const batchLinkSchema = z.object({ kind: z.enum(["retry", "version", "trial"]), root: z.string() }).readonly();
export type BatchLink = z.infer<typeof batchLinkSchema>;

/** A batch as it is on the wire, in either dialect. */
export const batchSchema = z.object({
  id: z.string(),
  object: z.literal("batch"),
  endpoint: z.string(),
  errors: z.object({ object: z.literal("list"), data: z.array(batchErrorSchema) }).nullable(),
  input_file_id: z.string(),
  completion_window: z.string(),
  status: batchStatusSchema,
  output_file_id: z.string().nullable(),
  error_file_id: z.string().nullable(),
  created_at: timestampSchema,
  in_progress_at: timestampSchema.nullable(),
  expires_at: timestampSchema,
  finalizing_at: timestampSchema.nullable(),
  completed_at: timestampSchema.nullable(),
  failed_at: timestampSchema.nullable(),
  expired_at: timestampSchema.nullable(),
  cancelling_at: timestampSchema.nullable(),
  cancelled_at: timestampSchema.nullable(),
  request_counts: z.object({ total: countSchema, completed: countSchema, failed: countSchema }),
  /** Of a batch that has ended: the model that most of its lines name, and what all its answers took. */
  model: z.string().nullish(),
  usage: responseUsageSchema.nullish(),
  metadata: z.record(z.string(), z.string()),
});
export type WireBatch = z.infer<typeof batchSchema>;

/** A page of batches. The extras `count` … `items_per_page` are there in the service dialect only. */
export const batchListSchema = z.object({
  object: z.literal("list"),
  data: z.array(batchSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
  count: countSchema.optional(),
  page: countSchema.optional(),
  page_count: z.literal(-1).optional(),
  items_per_page: z.number().optional(),
});
export type WireBatchList = z.infer<typeof batchListSchema>;

/** The body of `POST /v1/batches`. */
export const createBatchSchema = z.object({
  input_file_id: z.string(),
  endpoint: z.string(),
  completion_window: z.string(),
  metadata: metadataSchema.nullish(),
  /** How long the files with the answers are kept, from when they are made. */
  output_expires_after: z
    .object({ anchor: z.literal("created_at"), seconds: z.int().min(3_600).max(2_592_000) })
    .nullish(),
});
