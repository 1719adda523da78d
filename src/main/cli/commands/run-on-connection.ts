import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { batchEndpoint, type Connection, completionWindow } from "#contract";
import {
  type BatchRecord,
  createMockEngine,
  createModelCatalog,
  createRandomIds,
  createService,
  createSystemClock,
  DataDirError,
  type Service,
} from "#service";
import { openConnections, priceTokens } from "../../connections/index.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import { type CommandProcess, onStopSignal, printError } from "../command-process.ts";
import { findDataFolder } from "../data-folder.ts";
import type { RunFlags } from "../flags.ts";
import { createCommandLogger } from "../open-service.ts";
import { formatCount } from "../phrases.ts";
import { createProgress } from "../progress.ts";
import { openConnectionStore, requireConnection } from "./connections.ts";

/** What came of a job: its batch as far as it is, and the service that has its answers. */
export interface ConnectionJob {
  readonly service: Service;
  readonly batch: BatchRecord;
  readonly connection: Connection;
  /** By Ctrl+C: what is answered is kept, and the same command goes on. */
  readonly wasStopped: boolean;
}

/**
 * Answers a file on a connection, in a folder of the job's own: the same command goes on where it was, and asks nothing
 * that is answered.
 * @throws CliError when there is no such connection, or the same job runs already
 */
export async function runOnConnection(
  file: string,
  name: string,
  flags: RunFlags,
  io: CommandProcess,
  finish: (job: ConnectionJob) => Promise<void>,
): Promise<void> {
  const store = await openConnectionStore(flags, io);
  const connection = await requireConnection(store, name);
  const root = flags.dataDir ?? findDataFolder("app", { env: io.env });
  const folder = join(root, "cli", await identifyJob(file, connection));
  if (flags.fresh) await rm(folder, { recursive: true, force: true });
  const ids = createRandomIds();
  const connections = openConnections({ store, folder: join(folder, "parts"), ids, pollInterval });
  const service = await openJob(folder, { connections, ids, io });
  let wasStopped = false;
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = () => {
      wasStopped = true;
      resolve();
    };
  });
  const forgetSignals = onStopSignal(stop, io);
  try {
    const batch = findUnfailed(service) ?? (await submit(service, file, connection));
    await Promise.race([follow(service, batch.id, flags, io), stopped]);
    if (wasStopped) await service.close(closingTime);
    await finish({ service, batch: service.batches.get(batch.id) ?? batch, connection, wasStopped });
  } finally {
    forgetSignals();
    await service.close(closingTime);
    await connections.close();
  }
}

/** Somebody looks at it: a batch elsewhere is polled as often as that, in milliseconds. */
const pollInterval = 2_000;
/** How long calls in flight are awaited at the end, in milliseconds. */
const closingTime = 10_000;

/** A job is known by the file's content and the connection. */
async function identifyJob(file: string, { id }: Connection): Promise<string> {
  const hash = createHash("sha256").update(`${id}\n`);
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex").slice(0, 32);
}

async function openJob(
  dataDir: string,
  {
    connections,
    ids,
    io,
  }: { connections: ReturnType<typeof openConnections>; ids: ReturnType<typeof createRandomIds>; io: CommandProcess },
): Promise<Service> {
  const clock = createSystemClock();
  const engine = createMockEngine({ pace: "instant", seed: 1, catalog: createModelCatalog("standard"), clock, ids });
  const fileLimits = { bytes: Number.MAX_SAFE_INTEGER, requests: Number.MAX_SAFE_INTEGER };
  try {
    return await createService({
      dataDir,
      engine,
      connections,
      fileLimits,
      clock,
      ids,
      logger: createCommandLogger(io),
    });
  } catch (error) {
    await connections.close();
    if (error instanceof DataDirError) throw new CliError(`This job runs already. ${error.message}`, exitCodes.failed);
    throw error;
  }
}

/** The job's batch of an earlier run of the command; one that failed its check is made anew. */
function findUnfailed({ batches }: Service): BatchRecord | undefined {
  return batches.list({ limit: 1 }).batches.find(({ status }) => status !== "failed");
}

async function submit(service: Service, file: string, { id: connection }: Connection): Promise<BatchRecord> {
  const pending = await service.files.receive(createReadStream(file));
  const { id: inputFileId } = await pending.store({ filename: basename(file), purpose: "batch" });
  const metadata = { name: basename(file) };
  return await service.batches.create({ inputFileId, endpoint: batchEndpoint, completionWindow, metadata, connection });
}

/** Shows how far it is, and why nothing moves, until it has ended. */
async function follow(service: Service, batchId: string, flags: RunFlags, io: CommandProcess): Promise<void> {
  const progress = createProgress({
    label: "Running",
    phrase: (done, total) => `${done.toLocaleString("en")} of ${formatCount(total, "request")}`,
    silent: flags.json,
    stream: io.stderr,
  });
  let said: string | null = null;
  const unsubscribe = service.batches.subscribe(({ id, counts, waiting }) => {
    if (id !== batchId) return;
    if (counts.total > 0) progress.update(counts.completed + counts.failed, counts.total);
    if (waiting !== said && waiting !== null) printError(`Waiting: ${waiting}`, io);
    said = waiting;
  });
  try {
    await service.batches.settled(batchId).catch(() => undefined);
  } finally {
    unsubscribe();
    progress.stop();
  }
}

/** What the answered lines cost, in US dollars; null where no price is known or no line says what it took. */
export async function sumCost({ service, batch, connection }: ConnectionJob): Promise<number | null> {
  let cost: number | null = null;
  const pageSize = 500;
  for (let offset = 0; offset < batch.counts.total; offset += pageSize) {
    const lines = Array.from({ length: Math.min(pageSize, batch.counts.total - offset) }, (_, at) => offset + at + 1);
    for (const { promptTokens, completionTokens, model } of await service.results.lines(batch.id, lines)) {
      if (promptTokens === null || completionTokens === null) continue;
      const price = priceTokens({ promptTokens, completionTokens }, { connection, model });
      if (price !== null) cost = (cost ?? 0) + price;
    }
  }
  return cost;
}
