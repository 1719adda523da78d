import { z } from "zod";
import { problemGroupSchema, problemSchema } from "#contract";
import type { FileCheck } from "./check-file.ts";

/** What the worker answers: how far a job is, what came of it, or why nothing did. */
export type WorkerReply = { readonly job: number } & (
  | { readonly type: "progress"; readonly bytes: number; readonly total: number }
  | { readonly type: "checked"; readonly check: FileCheck }
  | { readonly type: "failed"; readonly message: string }
);

const fileCheckSchema: z.ZodType<FileCheck> = z.object({
  report: z.object({
    requests: z.int(),
    bytes: z.number(),
    problems: z.array(problemSchema),
    errorCount: z.int(),
    warningCount: z.int(),
    groups: z.array(problemGroupSchema),
    models: z.array(z.string()),
  }),
  lineStarts: z.instanceof(Float64Array<ArrayBuffer>),
});

export const workerReplySchema: z.ZodType<WorkerReply> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), job: z.int(), bytes: z.number(), total: z.number() }),
  z.object({ type: z.literal("checked"), job: z.int(), check: fileCheckSchema }),
  z.object({ type: z.literal("failed"), job: z.int(), message: z.string() }),
]);
