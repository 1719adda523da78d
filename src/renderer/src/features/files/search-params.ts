import { z } from "zod";

export const fileColumns = ["filename", "bytes", "created", "batches"] as const;

/** The search parameters of Files: which are shown, in which order, and which one is open. Invalid ones are dropped. */
export const filesSearchSchema = z.object({
  purpose: z.enum(["batch", "batch_output"]).optional().catch(undefined),
  find: z.string().min(1).max(200).optional().catch(undefined),
  sort: z.enum(fileColumns).optional().catch(undefined),
  order: z.enum(["asc", "desc"]).optional().catch(undefined),
  file: z.string().min(1).max(100).optional().catch(undefined),
});
export type FilesSearch = z.infer<typeof filesSearchSchema>;
