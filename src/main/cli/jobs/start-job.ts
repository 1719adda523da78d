import { rm } from "node:fs/promises";
import { join } from "node:path";
import { batchEndpoint, type Connection, completionWindow, describeUnlisted } from "#contract";
import { type ConnectionStore, findUnlisted } from "#main/connections";
import type { BatchRecord } from "#main/storage";
import { type CommandProcess, printError } from "../command-process.ts";
import { type InputRows, listRequestModels } from "../input-rows.ts";
import { findJobsFolder, identifyJob } from "./job-folder.ts";
import { type JobOptions, type OpenJob, withJob } from "./open-job.ts";
import { warnOfSchemas } from "./warn-of-schemas.ts";

interface StartOptions {
  readonly store: ConnectionStore;
  readonly connection: Connection;
  readonly flags: { readonly dataDir?: string | undefined; readonly fresh: boolean; readonly reuse: boolean };
}

/**
 * Opens the job of a file on a connection, and creates its batch if there is none. An existing job is resumed: what is
 * answered is not asked again.
 */
export async function withJobOf<T>(
  input: InputRows,
  { store, connection, flags }: StartOptions,
  io: CommandProcess,
  work: (job: OpenJob, batch: BatchRecord) => Promise<T>,
): Promise<T> {
  const folder = join(findJobsFolder(flags, io), identifyJob(input, connection));
  if (flags.fresh) await rm(folder, { recursive: true, force: true });
  const { id, name } = connection;
  const about = { file: input.name, rows: input.choice, connection: { id, name }, createdAt: io.machine.wall() };
  const options: JobOptions = { folder, about, store, resumes: true };
  return await withJob(options, io, async (job) =>
    work(job, job.batch() ?? (await submitNew(job, input, { store, connection, flags }, io))),
  );
}

/** Warns of models that the service does not list. They may exist; nothing was sent yet, so the user can still stop. */
async function warnOfModels(
  input: InputRows,
  { store, connection }: Pick<StartOptions, "store" | "connection">,
  io: CommandProcess,
): Promise<void> {
  const models = await listRequestModels(input);
  const parts = { key: await store.keyOf(connection), machine: io.machine };
  for (const unlisted of await findUnlisted(connection, models, parts, new AbortController().signal)) {
    if (!unlisted.isProblem) printError(`warning: ${describeUnlisted(unlisted, connection.name)}`, io);
  }
}

async function submitNew(
  job: OpenJob,
  input: InputRows,
  options: StartOptions,
  io: CommandProcess,
): Promise<BatchRecord> {
  await warnOfModels(input, options, io);
  await warnOfSchemas(input, options.connection, io);
  return await submit(job, input, options.connection.id, options.flags);
}

async function submit(
  { service }: OpenJob,
  input: InputRows,
  connection: string,
  { reuse }: Pick<StartOptions["flags"], "reuse">,
): Promise<BatchRecord> {
  const pending = await service.files.receive(input.read(), { connection });
  const { id: inputFileId } = await pending.store({ filename: input.name, purpose: "batch" });
  const metadata = { name: input.name };
  const order = { endpoint: batchEndpoint, completionWindow, metadata, connection, reuse };
  return await service.batches.create({ inputFileId, ...order });
}
