import { join } from "node:path";
import { type Connection, finalStatuses, type LineState } from "#contract";
import {
  type BatchRecord,
  type Connections,
  createMockEngine,
  createModelCatalog,
  createRandomIds,
  createService,
  createSystemClock,
  DataDirError,
  type Service,
} from "#service";
import { type ConnectionStore, openConnections } from "../../connections/index.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import { type CommandProcess, onStopSignal, printError } from "../command-process.ts";
import { createCommandLogger } from "../open-service.ts";
import { createRequestProgress } from "../progress.ts";
import { type JobAbout, toNote, writeNote } from "./job-folder.ts";

/** A job of the command line whose folder this process holds. */
export interface OpenJob {
  readonly service: Service;
  /** Null where it was removed: what is answered can still be read. */
  readonly connection: Connection | null;
  readonly about: JobAbout;
  /** Aborted by Ctrl+C. */
  readonly stopped: AbortSignal;
  /** The job's batch as it is now; undefined before it was made. One that failed its check counts for nothing. */
  batch(): BatchRecord | undefined;
}

export interface JobOptions {
  readonly folder: string;
  readonly about: JobAbout;
  readonly store: ConnectionStore;
  /** False for a look at what is there: nothing is asked. */
  readonly goesOn: boolean;
}

/** Somebody looks at it: a batch elsewhere is polled as often as that, in milliseconds. */
const pollInterval = 2_000;
/** How long calls in flight are awaited at the end, in milliseconds. */
const closingTime = 10_000;
/** Between two notes of how far a job is, in milliseconds. */
const noteInterval = 2_000;

/**
 * Opens a job, which goes on from where it was, and does something with it. Ctrl+C lets the calls in flight end: all that is
 * answered is kept.
 * @throws CliError when another process has it
 */
export async function withJob<T>(
  options: JobOptions,
  io: CommandProcess,
  work: (job: OpenJob) => Promise<T>,
): Promise<T> {
  const { folder, about, store, goesOn } = options;
  const ids = createRandomIds();
  const opened = goesOn ? openConnections({ store, folder: join(folder, "parts"), ids, pollInterval }) : null;
  const stopping = new AbortController();
  const forgetSignals = onStopSignal(() => stopping.abort(), io);
  try {
    const service = await openJobService(folder, opened ?? noConnections, io);
    const batch = () => findBatch(service);
    let notedAt = Number.NEGATIVE_INFINITY;
    let noting = Promise.resolve();
    const note = () => {
      const found = batch();
      notedAt = performance.now();
      if (found !== undefined) noting = noting.then(() => writeNote(folder, toNote(about, found)));
    };
    service.batches.subscribe(({ status }) => {
      if (finalStatuses.has(status) || performance.now() - notedAt > noteInterval) note();
    });
    try {
      const connection = (await store.find(about.connection.id)) ?? null;
      return await work({ service, connection, about, stopped: stopping.signal, batch });
    } finally {
      await service.close(closingTime);
      note();
      await noting;
    }
  } finally {
    await opened?.close();
    forgetSignals();
  }
}

/** A batch of a connection that isn't there waits. */
const noConnections: Connections = { open: async () => null, identify: async () => null, subscribe: () => () => {} };

async function openJobService(dataDir: string, connections: Connections, io: CommandProcess): Promise<Service> {
  const clock = createSystemClock();
  const ids = createRandomIds();
  const engine = createMockEngine({ pace: "instant", seed: 1, catalog: createModelCatalog("standard"), clock, ids });
  const fileLimits = { bytes: Number.MAX_SAFE_INTEGER, requests: Number.MAX_SAFE_INTEGER };
  const logger = createCommandLogger(io);
  try {
    return await createService({ dataDir, engine, connections, fileLimits, clock, ids, logger });
  } catch (error) {
    if (!(error instanceof DataDirError)) throw error;
    const what = error.code === "data_dir_in_use" ? "Another command works on this job right now. " : "";
    throw new CliError(`${what}${error.message}`, exitCodes.failed);
  }
}

function findBatch({ batches }: Service): BatchRecord | undefined {
  const all = batches.list({ limit: Number.POSITIVE_INFINITY }).batches;
  return all.find(({ status, link }) => status !== "failed" && link === null);
}

/** What came of a job's batch, with what its retries have answered. */
export async function countMerged({ service }: OpenJob, batch: BatchRecord): Promise<BatchRecord["counts"]> {
  const { states } = await service.results.summary(batch.id, {}, { merged: true });
  const countOf = (state: LineState) => states.find(({ value }) => value === state)?.count ?? 0;
  return { total: batch.counts.total, completed: countOf("answered"), failed: countOf("failed") };
}

/** Whether every part of it is at its service: it goes on there, whoever looks. */
export const isSubmitted = ({ remote }: BatchRecord) => remote?.every(({ batchId }) => batchId !== null) ?? false;

/** Shows how far a batch is, and why nothing moves, until it has ended, `isEnough`, or Ctrl+C. */
export async function followBatch(
  { service, stopped }: OpenJob,
  batchId: string,
  { silent, isEnough = () => false }: { silent: boolean; isEnough?: (batch: BatchRecord) => boolean },
  io: CommandProcess,
): Promise<BatchRecord> {
  const { batches } = service;
  const progress = createRequestProgress({ silent, stream: io.stderr });
  const enough = Promise.withResolvers<void>();
  let said: string | null = null;
  const show = (batch: BatchRecord) => {
    const { id, counts, waiting } = batch;
    if (id !== batchId) return;
    if (counts.total > 0) progress.update(counts.completed + counts.failed, counts.total);
    if (waiting !== said && waiting !== null) printError(`Waiting: ${waiting}`, io);
    said = waiting;
    if (isEnough(batch)) enough.resolve();
  };
  const current = () => {
    const batch = batches.get(batchId);
    if (batch === undefined) throw new Error(`Batch ${batchId} is gone.`);
    return batch;
  };
  const unsubscribe = batches.subscribe(show);
  stopped.addEventListener("abort", () => enough.resolve(), { once: true });
  try {
    show(current());
    if (!stopped.aborted) await Promise.race([batches.settled(batchId).catch(() => undefined), enough.promise]);
    return current();
  } finally {
    unsubscribe();
    progress.stop();
  }
}
