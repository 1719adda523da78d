import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { batchStatusSchema } from "../batch-status.ts";
import { problemGroupSchema } from "../problems.ts";
import { filePurposeSchema } from "../wire/file.ts";
import { procedure } from "./errors.ts";

/** A file as Files shows it. All times are Unix milliseconds. */
export const fileViewSchema = z.object({
  id: z.string(),
  filename: z.string(),
  purpose: filePurposeSchema,
  bytes: z.int(),
  createdAt: z.number(),
  /** When it is removed by itself; null for one that stays. */
  expiresAt: z.number().nullable(),
  /** True once a batch was made from it and its content did not pass the check. */
  faulty: z.boolean(),
  /** The batches that read or write it, deleted ones last. */
  batches: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: batchStatusSchema,
      hasEnded: z.boolean(),
      isDeleted: z.boolean(),
    }),
  ),
});
export type FileView = z.infer<typeof fileViewSchema>;

/** What the check of an upload found. */
export const fileReportSchema = z.object({
  requests: z.int(),
  errorCount: z.int(),
  warningCount: z.int(),
  faultyLines: z.int(),
  models: z.array(z.string()),
  groups: z.array(problemGroupSchema),
});
export type FileReport = z.infer<typeof fileReportSchema>;

export const fileCheckSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("checking"), bytes: z.int(), total: z.int() }),
  z.object({ phase: z.literal("checked"), report: fileReportSchema }),
]);
export type FileCheckEvent = z.infer<typeof fileCheckSchema>;

const uploadIdInput = z.object({ id: z.string() });

export const filesContract = {
  /** Newest first, without the files of trials. */
  list: procedure.output(z.array(fileViewSchema)),
  /** The lines of its beginning, long ones cut. */
  head: procedure
    .input(z.object({ id: z.string() }))
    .output(z.object({ lines: z.array(z.string()), hasMore: z.boolean() })),
  /** Fails with a CONFLICT while a batch that has not ended needs it. */
  remove: procedure.input(z.object({ id: z.string() })).output(z.object({})),
  /** Prepares an upload; one that is larger than is taken is refused before anything is sent. */
  begin: procedure.input(z.object({ bytes: z.int().min(0) })).output(uploadIdInput),
  /** Chunks come one after another; the answer reports how much is there. */
  append: procedure
    .input(z.object({ id: z.string(), offset: z.int().min(0), chunk: z.instanceof(Blob) }))
    .output(z.object({ bytes: z.int() })),
  /** Checks what has arrived as a batch's input. Nothing is stored by that. */
  check: procedure.input(uploadIdInput).output(eventIterator(fileCheckSchema)),
  /** Makes it a file of the service. */
  store: procedure.input(z.object({ id: z.string(), filename: z.string().min(1).max(255) })).output(fileViewSchema),
  discard: procedure.input(uploadIdInput).output(z.object({})),
};
