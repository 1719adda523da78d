import { z } from "zod";
import { procedure } from "./errors.ts";

/** What can be removed because nothing needs it: set apart at a start, tables of no draft, exports no one has fetched. */
export const storageCleanupSchema = z.enum(["quarantine", "sources", "exports"]);
export type StorageCleanup = z.infer<typeof storageCleanupSchema>;

export const storagePartSchema = z.object({
  name: z.enum([
    "files",
    "answers",
    "verdicts",
    "sources",
    "drafts",
    "exports",
    "quarantine",
    "command_line",
    "records",
  ]),
  bytes: z.number(),
  /** Bytes of it that a cleanup under its name would remove. */
  removable: z.number(),
});
export type StoragePart = z.infer<typeof storagePartSchema>;

/** What lies in the data folder. */
export const storageReportSchema = z.object({
  folder: z.string(),
  bytes: z.number(),
  parts: z.array(storagePartSchema),
});
export type StorageReport = z.infer<typeof storageReportSchema>;

export const storageContract = {
  measure: procedure.output(storageReportSchema),
  /** Removes for good what nothing needs, and measures again. */
  clean: procedure.input(z.object({ what: storageCleanupSchema })).output(storageReportSchema),
};
