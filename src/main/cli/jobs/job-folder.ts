import { createHash } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { batchStatusSchema, type Connection, endCountsSchema } from "#contract";
import type { Logger } from "#main/base";
import type { ConnectionStore } from "#main/connections";
import {
  type BatchRecord,
  commandWrites,
  isErrno,
  readJsonFile,
  readStoredFolder,
  type WriteRules,
  writeJsonFile,
} from "#main/storage";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CommandProcess } from "../command-process.ts";
import { findDataFolder } from "../data-folder.ts";
import type { InputRows } from "../input-rows.ts";

const manifestSchema = z.object({
  version: z.literal(1),
  /** Of its batch; those that ask some of its lines again point to it. */
  id: z.string(),
  /** The name of the file that it was made from. */
  file: z.string(),
  /** Which rows of it; empty for all. */
  rows: z.string(),
  connection: z.object({ id: z.string(), name: z.string() }),
  createdAt: z.number(),
  /** As the last command saw it. */
  status: batchStatusSchema,
  counts: z.object({ total: z.int(), completed: z.int(), failed: z.int(), awaited: z.int().optional() }),
  /** How the answers ended; null where that was not counted. */
  ends: endCountsSchema.nullable().default(null),
});

/** What is known of a job without opening it, stored in its folder. */
export type JobManifest = z.infer<typeof manifestSchema>;

/** What is known of a job from its beginning. */
export type JobAbout = Pick<JobManifest, "file" | "rows" | "connection" | "createdAt">;

/** A job and where it is kept. */
export interface StoredJob {
  readonly folder: string;
  readonly manifest: JobManifest;
}

/** The name of a manifest in its folder. */
export const manifestFile = "job.json";

/** The folder of all jobs of the command line: in that of the app, and outside of its lock. */
export function findJobsFolder({ dataDir }: { dataDir?: string | undefined }, io: CommandProcess): string {
  return join(dataDir ?? findDataFolder("app", { env: io.env }), "cli");
}

/** A job is known by the file's content, the connection and the rows. */
export function identifyJob({ sha256, choice }: InputRows, { id }: Connection): string {
  return createHash("sha256").update(`${id}\n${sha256}\n${choice}`).digest("hex").slice(0, 32);
}

export function toManifest(
  about: JobAbout,
  { id, status, counts, ends }: Pick<BatchRecord, "id" | "status" | "counts" | "ends">,
): JobManifest {
  return { ...about, version: 1, id, status, counts, ends };
}

/** Stores a job's progress, so that it can be listed without opening it. */
export async function writeManifest(folder: string, manifest: JobManifest, rules: WriteRules): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeJsonFile(join(folder, manifestFile), manifest, rules, 0o600);
}

/**
 * Makes the manifest of a job anew from its records; which rows of the file it took is not in them. Null where there is no batch in its folder.
 */
export async function restoreManifest(
  folder: string,
  connections: Pick<ConnectionStore, "find">,
  logger: Logger,
): Promise<JobManifest | null> {
  const { batches, files } = readStoredFolder(folder, logger);
  const batch = batches.list().find(({ link }) => link === null);
  if (batch?.connection == null) return null;
  const { connection: id, inputFileId, times } = batch;
  const { name = id } = (await connections.find(id).catch(() => undefined)) ?? {};
  const file = files.get(inputFileId)?.filename ?? "";
  const manifest = toManifest({ file, rows: "", connection: { id, name }, createdAt: times.created }, batch);
  await writeManifest(folder, manifest, commandWrites);
  return manifest;
}

/** The jobs of a folder, newest first. */
export async function listJobs(jobsFolder: string): Promise<StoredJob[]> {
  const names = await readdir(jobsFolder).catch((error: unknown) => {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  });
  const jobs: StoredJob[] = [];
  for (const name of names) {
    const folder = join(jobsFolder, name);
    const { data: manifest } = manifestSchema.safeParse(
      await readJsonFile(join(folder, manifestFile)).catch(() => null),
    );
    if (manifest !== undefined) jobs.push({ folder, manifest });
  }
  return jobs.sort((a, b) => b.manifest.createdAt - a.manifest.createdAt);
}

/** The folders of the jobs in an app's data folder. */
export async function listJobFolders(dataDir: string): Promise<string[]> {
  return (await listJobs(join(dataDir, "cli"))).map(({ folder }) => folder);
}

/** @throws CliError with how to find it */
export async function requireJob(jobsFolder: string, id: string): Promise<StoredJob> {
  const found = (await listJobs(jobsFolder)).find(({ manifest }) => manifest.id === id);
  if (found !== undefined) return found;
  throw new CliError(`There is no job with the id ${id}: sheaf status lists them.`, exitCodes.unusable);
}
