import { z } from "zod";
import { procedure } from "./errors.ts";

/** What can be removed: deleted batches, files set apart at a start, tables of no draft, exports no one has fetched. */
export const storageCleanupSchema = z.enum(["deleted", "quarantine", "sources", "exports"]);
export type StorageCleanup = z.infer<typeof storageCleanupSchema>;

export const storagePartSchema = z.object({
  name: z.enum([
    "files",
    "answers",
    "verdicts",
    "deleted",
    "sources",
    "drafts",
    "exports",
    "quarantine",
    "command_line",
    "records",
  ]),
  bytes: z.number(),
  /** Bytes of it that a cleanup under its name would remove; null while a damaged record may need any of it. */
  removable: z.number().nullable(),
});
export type StoragePart = z.infer<typeof storagePartSchema>;

/** What lies in the data folder. */
export const storageReportSchema = z.object({
  folder: z.string(),
  bytes: z.number(),
  parts: z.array(storagePartSchema),
});
export type StorageReport = z.infer<typeof storageReportSchema>;

/** How much is kept of batches that have ended, and of files that no batch uses; null: all. */
export const keepSettingsSchema = z.object({
  /** Since they were last changed, by the computer's clock. */
  days: z.int().positive().nullable(),
  /** Of all files: the oldest go first. */
  bytes: z.int().positive().nullable(),
});
export type KeepSettings = z.infer<typeof keepSettingsSchema>;

export const retentionSchema = z.object({
  settings: keepSettingsSchema,
  /**
   * Why nothing is removed: damage that has not been confirmed, or a computer's clock that is more than a day ahead of what it was
   * when Sheaf last worked. Null otherwise.
   */
  paused: z.enum(["damaged", "clock"]).nullable(),
  /** How many deleted batches are removed later. */
  deleted: z.int(),
  /** Since the start, the last first; 100 at most. */
  removed: z.array(
    z.object({
      kind: z.enum(["batch", "file"]),
      id: z.string(),
      name: z.string(),
      bytes: z.number(),
      /** Unix milliseconds. */
      at: z.number(),
    }),
  ),
});
export type RetentionView = z.infer<typeof retentionSchema>;

export const storageContract = {
  measure: procedure.output(storageReportSchema),
  /** Removes it for good, and measures again. */
  clean: procedure.input(z.object({ what: storageCleanupSchema })).output(storageReportSchema),
  retention: procedure.output(retentionSchema),
  /** How much would be removed at once with these settings. */
  planRetention: procedure
    .input(keepSettingsSchema)
    .output(z.object({ batches: z.int(), files: z.int(), bytes: z.number() })),
  /** Removes for good what the settings don't keep, now and from now on. */
  setRetention: procedure.input(keepSettingsSchema).output(retentionSchema),
  /** The computer's clock is right. */
  confirmClock: procedure.output(retentionSchema),
};
