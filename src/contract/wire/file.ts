import { z } from "zod";

/** What a file is for: `batch` for input, `batch_output` for the output and error files that a batch writes. */
export const filePurposeSchema = z.enum(["batch", "batch_output"]);
export type FilePurpose = z.infer<typeof filePurposeSchema>;

/** A file as it is on the wire. `status` is there in the openai dialect only. */
export const fileSchema = z.object({
  id: z.string(),
  object: z.literal("file"),
  bytes: z.int(),
  created_at: z.union([z.int(), z.string().regex(/^\d+$/)]),
  filename: z.string(),
  purpose: filePurposeSchema,
  status: z.enum(["uploaded", "processed", "error"]).optional(),
});
export type WireFile = z.infer<typeof fileSchema>;
