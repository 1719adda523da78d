import { z } from "zod";
import { countSchema, timestampSchema } from "./numbers.ts";

/** What files are uploaded for. Only those for `batch` are used here; the others are kept for clients that expect it. */
export const uploadPurposes = ["batch", "assistants", "evals", "fine-tune", "user_data", "vision"] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

/** What a file is for: `batch` for input, `batch_output` for the output and error files that a batch writes. */
export const filePurposeSchema = z.enum([...uploadPurposes, "batch_output"]);
export type FilePurpose = z.infer<typeof filePurposeSchema>;

/** A file as it is on the wire. `expires_at` is there for a file that expires, `status` in the openai dialect only. */
export const fileSchema = z.object({
  id: z.string(),
  object: z.literal("file"),
  bytes: countSchema,
  created_at: timestampSchema,
  expires_at: timestampSchema.optional(),
  filename: z.string(),
  purpose: filePurposeSchema,
  status: z.enum(["uploaded", "processed", "error"]).optional(),
});
export type WireFile = z.infer<typeof fileSchema>;

/** The answer to the deletion of a file. */
export const deletedFileSchema = z.object({ id: z.string(), object: z.literal("file"), deleted: z.literal(true) });
export type WireDeletedFile = z.infer<typeof deletedFileSchema>;
