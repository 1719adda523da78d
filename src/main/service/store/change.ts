import { z } from "zod";
import { batchStatusSchema, filePurposeSchema, problemSchema } from "#contract";
import type { BatchRecord, FileRecord } from "../types.ts";

const time = z.number();
const timeOrNull = z.number().nullable();

const fileSchema: z.ZodType<FileRecord> = z.object({
  id: z.string(),
  filename: z.string(),
  purpose: filePurposeSchema,
  bytes: z.int(),
  sha256: z.string().nullable(),
  createdAt: time,
  expiresAt: timeOrNull.default(null),
  faulty: z.boolean().default(false),
});

const batchSchema: z.ZodType<BatchRecord> = z.object({
  id: z.string(),
  endpoint: z.string(),
  completionWindow: z.string(),
  inputFileId: z.string(),
  outputFileId: z.string().nullable(),
  errorFileId: z.string().nullable(),
  status: batchStatusSchema,
  times: z.object({
    created: time,
    inProgress: timeOrNull,
    finalizing: timeOrNull,
    completed: timeOrNull,
    failed: timeOrNull,
    expires: time,
    expired: timeOrNull,
    cancelling: timeOrNull,
    cancelled: timeOrNull,
  }),
  counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  metadata: z.record(z.string(), z.string()),
  models: z.array(z.string()),
  problems: z.array(problemSchema),
  pace: z
    .object({ sampleLength: z.number().positive(), samples: z.array(z.number().min(0)) })
    .nullable()
    .default(null),
});

/** One line of the journal: a record as it is from now on, or its end; or whether the MCP endpoint is open. */
export const changeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), record: fileSchema }),
  z.object({ kind: z.literal("batch"), record: batchSchema }),
  z.object({ kind: z.literal("file_removed"), id: z.string() }),
  z.object({ kind: z.literal("batch_removed"), id: z.string() }),
  z.object({ kind: z.literal("mcp_endpoint"), enabled: z.boolean() }),
]);
export type Change = z.infer<typeof changeSchema>;
