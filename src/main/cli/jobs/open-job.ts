import { dirname, join } from "node:path";
import { type Connection, finalStatuses, type ValueCount } from "#contract";
import { type Connections, createRandomIds, createSystemClock, type Machine } from "#main/base";
import { type ConnectionStore, openConnections, openPrices } from "#main/connections";
import { createService, type Service, type ServiceOptions } from "#main/service";
import { type BatchRecord, commandWrites, DataDirError, type WriteRules } from "#main/storage";
import { CliError, exitCodes } from "../cli-error.ts";
import { type CommandProcess, closingTime, onStopSignal } from "../command-process.ts";
import { createCommandLogger } from "../open-service.ts";
import { type JobAbout, listJobs, toManifest, writeManifest } from "./job-folder.ts";

/** A job of the command line whose folder this process has locked. */
export interface OpenJob {
  readonly service: Service;
  /** Null where it was removed: what is answered can still be read. */
  readonly connection: Connection | null;
  readonly about: JobAbout;
  /** Aborted by Ctrl+C. */
  readonly stopped: AbortSignal;
  /** The job's current batch; undefined before it is created. One that failed validation is ignored. */
  batch(): BatchRecord | undefined;
}

export interface JobOptions {
  readonly folder: string;
  readonly about: JobAbout;
  readonly store: ConnectionStore;
  /** False to read what is there: nothing is asked. */
  readonly resumes: boolean;
}

/** The poll interval for a batch at its service while a command shows it, in milliseconds. */
const pollInterval = 2_000;
/** Between two checks whether another process has changed the connection of a job that waits, in milliseconds. */
const changeInterval = 2_000;
/** Between two manifests of a job that runs, in milliseconds. */
const manifestInterval = 2_000;

/**
 * Opens a job, resumes it, and runs `work` on it. Ctrl+C waits for the calls in flight and keeps every answer.
 * @throws CliError when another process has it
 */
export async function withJob<T>(
  options: JobOptions,
  io: CommandProcess,
  work: (job: OpenJob) => Promise<T>,
): Promise<T> {
  const { folder, about, store, resumes } = options;
  const logger = createCommandLogger(io);
  const ids = createRandomIds();
  const opened = resumes
    ? openConnections({ store, folder: join(folder, "parts"), ids, machine: io.machine, pollInterval })
    : null;
  const stopping = new AbortController();
  const removeHandlers = onStopSignal(() => stopping.abort(), io);
  try {
    const archives = () => listArchives(folder, about.connection.id);
    const service = await openJobService(folder, { connections: opened ?? noConnections, archives }, io);
    service.setPrices(openPrices(store));
    const batch = () => findBatch(service);
    let writtenAt = Number.NEGATIVE_INFINITY;
    let writing = Promise.resolve();
    const writeProgress = (rules: WriteRules) => {
      const found = batch();
      writtenAt = io.machine.monotonic();
      if (found !== undefined) writing = writing.then(() => writeManifestOf(found, rules)).catch(warn);
    };
    // A manifest that can't be written costs no answer.
    const warn = (error: unknown) => logger.warn("How far the job is can't be noted", { error: String(error) });
    async function writeManifestOf(found: BatchRecord, rules: WriteRules): Promise<void> {
      const isAskedAgain = listWithRetries({ service }, found).length > 1;
      const merged = isAskedAgain ? await countMerged({ service }, found) : {};
      await writeManifest(folder, toManifest(about, { ...found, ...merged }), rules);
    }
    service.batches.subscribe(({ status }) => {
      if (finalStatuses.has(status) || io.machine.monotonic() - writtenAt > manifestInterval)
        writeProgress(service.durability);
    });
    const isWaiting = () => listBatches(service).some(({ waiting }) => waiting !== null);
    let stopWatching = () => {};
    try {
      if (resumes) stopWatching = await watchConnection(store, about.connection.id, isWaiting, io.machine);
      const connection = (await store.find(about.connection.id)) ?? null;
      return await work({ service, connection, about, stopped: stopping.signal, batch });
    } finally {
      stopWatching();
      await service.close(closingTime);
      // What was in flight has ended since. A folder that another process took has a manifest of that one.
      if (service.disk.failure?.code !== "data_dir_lost") writeProgress(commandWrites);
      await writing;
    }
  } finally {
    await opened?.close();
    removeHandlers();
  }
}

/** With these the batches of a job wait: no connection can be opened. */
const noConnections: Connections = {
  open: async () => null,
  identify: async () => null,
  findMissingModels: async () => [],
  describe: async () => null,
  subscribe: () => () => {},
};

/** The other jobs on a connection, and the app's own folder: they may have answers to the same requests, and batches at its service. */
export async function listArchives(folder: string, connectionId: string): Promise<string[]> {
  const jobsFolder = dirname(folder);
  const others = (await listJobs(jobsFolder)).filter((job) => job.folder !== folder);
  const ofConnection = others.filter(({ manifest }) => manifest.connection.id === connectionId);
  return [dirname(jobsFolder), ...ofConnection.map((job) => job.folder)];
}

/**
 * Announces a change that another process made to the connection, such as another key, to batches that wait.
 * @returns a function that stops watching
 */
async function watchConnection(
  store: ConnectionStore,
  id: string,
  isWaiting: () => boolean,
  machine: Machine,
): Promise<() => void> {
  async function read(): Promise<string> {
    const connection = await store.find(id);
    if (connection === undefined) return "removed";
    return JSON.stringify([{ ...connection, learned: null }, await store.keyOf(connection)]);
  }
  let before = await read();
  return machine.every(changeInterval, () => {
    if (!isWaiting()) return;
    read()
      .then((now) => {
        if (now !== before) store.announce(id);
        before = now;
      })
      .catch(() => {});
  });
}

type JobServiceDeps = Required<Pick<ServiceOptions, "connections" | "archives">>;

export async function openJobService(dataDir: string, parts: JobServiceDeps, io: CommandProcess): Promise<Service> {
  const clock = createSystemClock(io.machine);
  const ids = createRandomIds();
  const logger = createCommandLogger(io);
  try {
    return await createService({ ...parts, dataDir, clock, machine: io.machine, ids, logger, ...io.threads });
  } catch (error) {
    if (!(error instanceof DataDirError)) throw error;
    const what = error.code === "data_dir_in_use" ? "Another command works on this job right now. " : "";
    throw new CliError(`${what}${error.message}`, exitCodes.failed);
  }
}

/** All batches of a job, newest first. */
const listBatches = ({ batches }: Service) => batches.list({ limit: Number.POSITIVE_INFINITY }).batches;

function findBatch(service: Service): BatchRecord | undefined {
  return listBatches(service).find(({ status, link }) => status !== "failed" && link === null);
}

/** The batch of a job, and those that ask some of its lines again. */
export function listWithRetries({ service }: Pick<OpenJob, "service">, { id }: BatchRecord): readonly BatchRecord[] {
  const all = listBatches(service);
  return all.filter((batch) => batch.id === id || batch.link?.root === id).toReversed();
}

/** The counts of a job's batch, with what its retries have answered. */
export async function countMerged(
  { service }: Pick<OpenJob, "service">,
  batch: BatchRecord,
): Promise<Pick<BatchRecord, "counts" | "ends">> {
  const { states, ends } = await service.results.summary(batch.id, {}, { merged: true });
  const toCounts = (values: readonly ValueCount[]) =>
    Object.fromEntries(values.map(({ value, count }) => [value, count]));
  const { answered = 0, failed = 0, awaited = 0 } = toCounts(states);
  const counts = { total: batch.counts.total, completed: answered, failed: failed + awaited };
  return { counts: { ...counts, ...(awaited > 0 && { awaited }) }, ends: toCounts(ends) };
}
