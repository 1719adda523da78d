import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { adapterNameSchema } from "../adapters.ts";
import { batchStatusSchema } from "../batch-status.ts";
import { procedure } from "./errors.ts";
import { dialectNameSchema, engineChoiceSchema, paceSchema, serverViewSchema, tierSchema } from "./server.ts";
import { storagePartSchema } from "./storage.ts";

/** Digits and points, and what a version may have behind them. */
const versionSchema = z.string().regex(/^\d+(\.\d+){0,3}(-[a-z0-9.]{1,20})?$/);

/** What the app runs on; null for what is not part of it. */
export const hostVersionsSchema = z.object({
  node: versionSchema,
  electron: versionSchema.nullable(),
  chromium: versionSchema.nullable(),
});

/** What the page needs to know of its host. */
export const appInfoSchema = z.object({
  version: z.string(),
  host: z.enum(["electron", "browser"]),
  versions: hostVersionsSchema,
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

/** A package whose code is part of the app. */
export const bundledPackageSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** By its SPDX identifier. */
  license: z.string(),
  /** In full; empty where the package comes without it. */
  text: z.string(),
});
export type BundledPackage = z.infer<typeof bundledPackageSchema>;

/** Something about the data folder that the user should know; by code and count it is in /health, too. */
export const noticeSchema = z.object({
  code: z.enum([
    "data_dir_lost",
    "file_set_aside",
    "files_quarantined",
    "journal_damaged",
    "journal_restored",
    "record_damaged",
    "sources_quarantined",
  ]),
  count: z.int(),
  /** What happened and what it means, in sentences. */
  message: z.string(),
  /** Where, and what exactly: files, lines, ids. */
  details: z.string().optional(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** What the disk fails with, which is waited for; null while it takes what is written. */
export const diskStateSchema = z.object({ failure: z.string().nullable() });

const count = z.int().min(0);
/** A word that no user can choose. */
const presetWord = z.string().regex(/^[a-z-]{1,20}$/);

/**
 * What helps to find a fault and may be handed to anybody: numbers, words of fixed lists, and versions. There is no field for
 * free text, so that no name, address, path, error or log can be in it.
 */
export const diagnosticsSchema = z.strictObject({
  sheaf: versionSchema,
  host: appInfoSchema.shape.host,
  ...hostVersionsSchema.shape,
  platform: z.enum(["linux", "darwin", "win32"]).or(z.literal("other")).catch("other"),
  arch: z.enum(["x64", "arm64"]).or(z.literal("other")).catch("other"),
  system: versionSchema.catch("0"),
  memoryMb: count,
  batches: z.partialRecord(batchStatusSchema, count),
  waitingBatches: count,
  lines: count,
  files: count,
  drafts: count,
  connections: z.partialRecord(adapterNameSchema, count),
  presets: z.record(presetWord, count),
  storageMb: z.partialRecord(storagePartSchema.shape.name, count),
  keys: serverViewSchema.shape.secrets.shape.kind,
  server: z.boolean(),
  mcp: z.boolean(),
  tier: tierSchema,
  dialect: dialectNameSchema,
  engine: z.enum(engineChoiceSchema.options.map(({ shape }) => shape.kind.value)),
  pace: paceSchema,
  faults: z.boolean(),
  clockAheadMs: z.int(),
  health: z.array(z.enum(["disk_full", "too_many_open_files", "disk_failed", "data_dir_lost", "data_damaged"])),
  notices: z.array(noticeSchema.pick({ code: true, count: true })),
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;

export const appContract = {
  info: procedure.output(appInfoSchema),
  /** What was amiss when the app was started; empty on a good day. */
  notices: procedure.output(z.array(noticeSchema)),
  /** The user has seen what is damaged: the data folder is tidied again. Answers with the notices that are left. */
  confirmDamage: procedure.output(z.array(noticeSchema)),
  /** The state of the disk now, and each change of it. */
  watchDisk: procedure.output(eventIterator(diskStateSchema)),
  models: procedure.output(z.array(modelViewSchema)),
  licenses: procedure.output(z.array(bundledPackageSchema)),
  diagnostics: procedure.output(diagnosticsSchema),
};
