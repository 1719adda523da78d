import { z } from "zod";

/** What a file is for: `batch` for input, `batch_output` for the output and error files that a batch writes. */
export const filePurposeSchema = z.enum(["batch", "batch_output"]);
export type FilePurpose = z.infer<typeof filePurposeSchema>;

/** Unix seconds: a decimal string, in the openai dialect an integer. */
const timestamp = z.union([z.int(), z.string().regex(/^\d+$/)]);

/** A file as it is on the wire. `expires_at` is there for a file that expires, `status` in the openai dialect only. */
export const fileSchema = z.object({
  id: z.string(),
  object: z.literal("file"),
  bytes: z.int(),
  created_at: timestamp,
  expires_at: timestamp.optional(),
  filename: z.string(),
  purpose: filePurposeSchema,
  status: z.enum(["uploaded", "processed", "error"]).optional(),
});
export type WireFile = z.infer<typeof fileSchema>;

/** The answer to the deletion of a file. */
export const deletedFileSchema = z.object({ id: z.string(), object: z.literal("file"), deleted: z.literal(true) });
export type WireDeletedFile = z.infer<typeof deletedFileSchema>;
