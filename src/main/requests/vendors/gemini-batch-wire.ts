import { z } from "zod";
import { generateAnswerSchema, generateRequestSchema } from "./gemini-wire.ts";

/** The wire of Gemini's files and batches. */

/** A file of the Files API. */
export const geminiFileSchema = z.object({
  name: z.string(),
  displayName: z.string(),
  mimeType: z.string(),
  sizeBytes: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
  expirationTime: z.string().optional(),
  sha256Hash: z.string().optional(),
  uri: z.string(),
  state: z.literal("ACTIVE"),
  source: z.literal("UPLOADED"),
});
export type GeminiFile = z.infer<typeof geminiFileSchema>;

/** The body that begins an upload. */
export const startUploadSchema = z.strictObject({
  file: z
    .strictObject({
      displayName: z.string().optional(),
      mimeType: z.string().optional(),
      sizeBytes: z.string().optional(),
    })
    .optional(),
});

/** A line of a batch's input file. */
export const batchLineSchema = z.strictObject({ key: z.string().min(1), request: generateRequestSchema });

const mostRequests = 100_000;

/** The body of `batchGenerateContent`: requests as a list, or the file that has them. */
export const createBatchRequestSchema = z.strictObject({
  batch: z.strictObject({
    displayName: z.string().max(512).optional(),
    model: z.string().optional(),
    inputConfig: z.strictObject({
      fileName: z.string().optional(),
      requests: z
        .strictObject({
          requests: z
            .array(
              z.strictObject({
                request: generateRequestSchema,
                metadata: z.record(z.string(), z.unknown()).optional(),
              }),
            )
            .min(1)
            .max(mostRequests),
        })
        .optional(),
    }),
  }),
});
export type CreateBatchRequest = z.infer<typeof createBatchRequestSchema>;

const rpcStatusSchema = z.object({ code: z.int(), message: z.string(), status: z.string() });

/** What came of a request of a batch. */
const batchResultSchema = z.object({
  metadata: z.record(z.string(), z.unknown()).optional(),
  response: generateAnswerSchema.optional(),
  error: rpcStatusSchema.optional(),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

const batchOutputSchema = z.object({
  responsesFile: z.string().optional(),
  inlinedResponses: z.object({ inlinedResponses: z.array(batchResultSchema) }).optional(),
});

/** A batch, which is an operation here. Counts are text. */
export const batchOperationSchema = z.object({
  name: z.string(),
  metadata: z.object({
    "@type": z.string(),
    name: z.string(),
    model: z.string(),
    displayName: z.string(),
    state: z.string(),
    createTime: z.string(),
    updateTime: z.string(),
    endTime: z.string().optional(),
    inputConfig: z.object({ fileName: z.string() }).optional(),
    batchStats: z.object({
      requestCount: z.string(),
      pendingRequestCount: z.string().optional(),
      successfulRequestCount: z.string().optional(),
      failedRequestCount: z.string().optional(),
    }),
    output: batchOutputSchema.optional(),
  }),
  done: z.boolean(),
  response: batchOutputSchema.extend({ "@type": z.string() }).optional(),
  error: rpcStatusSchema.optional(),
});
export type BatchOperation = z.infer<typeof batchOperationSchema>;
