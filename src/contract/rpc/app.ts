import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { procedure } from "./errors.ts";

/** What the page needs to know of its host. */
export const appInfoSchema = z.object({
  version: z.string(),
  host: z.enum(["electron", "browser"]),
  /** The data folder. */
  dataDir: z.string(),
  /** One sentence on who answers the requests, for example the built-in mock engine and its pace. */
  engine: z.string(),
  /** True where a mock makes the answers up, which can neither judge nor grade. */
  isMock: z.boolean(),
  /** False until the first batch exists: the page then offers the example. */
  hasBatches: z.boolean(),
});
export type AppInfo = z.infer<typeof appInfoSchema>;

/** A model that requests may name, with the limits of the tier in force, in tokens. */
export const modelViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  contextTokens: z.int(),
  outputTokens: z.int(),
});
export type ModelView = z.infer<typeof modelViewSchema>;

/** Something about the data folder that the user should know, as a sentence; by code and count it is in /health, too. */
export const noticeSchema = z.object({
  code: z.enum([
    "data_dir_lost",
    "file_set_aside",
    "files_quarantined",
    "journal_damaged",
    "journal_restored",
    "sources_quarantined",
  ]),
  count: z.int(),
  message: z.string(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** What the disk fails with, which is waited for; null while it takes what is written. */
export const diskStateSchema = z.object({ failure: z.string().nullable() });

export const appContract = {
  info: procedure.output(appInfoSchema),
  /** What was amiss when the app was started; empty on a good day. */
  notices: procedure.output(z.array(noticeSchema)),
  /** The state of the disk now, and each change of it. */
  watchDisk: procedure.output(eventIterator(diskStateSchema)),
  models: procedure.output(z.array(modelViewSchema)),
};
