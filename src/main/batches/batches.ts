import { batchEndpoint, finalStatuses } from "#contract";
import type { CreateChoice, Engine } from "#main/base";
import { createQueue, createThrottledEmitter, quote, ServiceError, shorten } from "#main/base";
import { listRetries } from "#main/results";
import type { BatchRecord } from "#main/storage";
import { type BatchLifecycle, type LifecycleDeps, startLifecycle } from "./batch-lifecycle.ts";
import { askDeadlineRest, hasDeadlineRest } from "./deadline-rest.ts";
import {
  type DeletedBatch,
  deleteBatch,
  findDeleted,
  listAllRetries,
  listDeletedBatches,
  restoreBatch,
} from "./deleted-batches.ts";
import type { BatchDeps, CreateBatch } from "./deps.ts";
import { countKnown, createKnownAnswers, type KnownCount, noneKnown } from "./known-answers.ts";
import { createLateResults } from "./late-results.ts";
import { toNewRecord, validateCreate } from "./new-batch.ts";
import { belongsTo, type Owner } from "./owner.ts";
import { removeBatches } from "./remove-batch.ts";
import { planRetry, type RetryBatch, retryBatch } from "./retry-batch.ts";
import type { RaisedLine } from "./retry-requests.ts";
import { createScheduler, type QueueHandle, type Scheduler, type WorkQueue } from "./scheduler.ts";
import { nextStatus } from "./state.ts";
import { type BatchProgress, createThroughputTracker } from "./throughput.ts";

export interface BatchPage {
  readonly limit: number;
  /** The id of the last batch of the page before. */
  readonly after?: string;
  /** Whether trials are listed, too; they are not unless asked for. */
  readonly trials?: boolean;
  /** Lists its own batches alone. */
  readonly owner?: Owner;
}

export interface Batches {
  /** Creates it in `validating`; it continues by itself. Fails with a ServiceError (unknown file, wrong window …). */
  create(input: CreateBatch): Promise<BatchRecord>;
  /** With an owner, of its own batches alone. */
  get(id: string, owner?: Owner): BatchRecord | undefined;
  /** Whether it is there, or is deleted and can be restored. */
  isKept(id: string): boolean;
  /** Whether it belongs to another data folder: it can be looked at, not changed. */
  isReadOnly(id: string): boolean;
  /** Newest first. Fails with a ServiceError when there is no batch `after`. */
  list(page: BatchPage): { batches: readonly BatchRecord[]; hasMore: boolean };
  /** Fails with a 409 ServiceError when it has ended or is finalizing. */
  cancel(id: string): Promise<BatchRecord>;
  /**
   * Makes a linked batch of lines that are to be asked again. Fails with a 409 ServiceError when there are none, or they
   * are being asked already.
   */
  retry(request: RetryBatch): Promise<BatchRecord>;
  /** The lines of such a retry that may have longer answers than before, for what they may cost. Nothing is sent. */
  planRetry(request: RetryBatch): Promise<readonly RaisedLine[]>;
  /**
   * Cancels a batch on a connection at that time, in Unix milliseconds, if it still runs; once it has ended there, what never
   * ran is asked directly. Null takes that back. Fails with a ServiceError when it has ended, or runs on this computer.
   */
  setDeadline(id: string, deadline: number | null): BatchRecord;
  /**
   * Settles a create at its service whose result is not known: sends it again, or takes one of the service's
   * batches for it. Rejects with a ServiceError where nothing is in doubt, or that can't be the batch.
   */
  settleCreate(id: string, choice: CreateChoice): Promise<BatchRecord>;
  /**
   * Continues an unclear batch, of which the damaged data folder may have lost answers: lines without an answer here are asked.
   * Rejects with a ServiceError for any other batch.
   */
  resume(id: string): Promise<BatchRecord>;
  /** Takes a batch as it is whose end waits for results. Throws a ServiceError where it waits for none. */
  stopWaiting(id: string): BatchRecord;
  /** Reads what an ended batch still awaits. Rejects with a ServiceError where that is nothing, or its service can't be read. */
  fetchAgain(id: string): Promise<BatchRecord>;
  rename(id: string, name: string): BatchRecord;
  /** How much of an input file a connection need not be asked; nothing where the connection is gone. */
  countKnown(connection: string, inputPath: string, signal?: AbortSignal): Promise<KnownCount>;
  /**
   * Deletes a batch and its retries, which can be restored for 30 days. Fails with a 409 ServiceError while one of them runs, or
   * awaited results of one are being read.
   */
  moveToDeleted(id: string): Promise<void>;
  /** The batches that can be restored, the last deleted first. */
  listDeleted(): readonly DeletedBatch[];
  /** Fails with a ServiceError where the batch is not deleted, or is deleted for good. */
  restore(id: string): Promise<BatchRecord>;
  /** Removes a deleted batch for good. Fails with a ServiceError where the batch is not deleted. */
  purge(id: string): Promise<void>;
  /**
   * Removes a batch and its retries for good, with all their files that no other batch needs. Fails with a 409 ServiceError
   * while one of them runs, and without `withRetries` where there are retries.
   */
  remove(id: string, options?: { readonly withRetries?: boolean }): Promise<void>;
  /** The same at once for a batch that runs: what is in flight is given up. Its retries stay. */
  discard(id: string): Promise<void>;
  progress(id: string): BatchProgress;
  /** Someone looks at the batch: where it runs elsewhere, the service is asked more often for a minute. */
  watch(id: string): void;
  /** Calls the listener with every change, merged to at most four a second for each batch. The answer stops it. */
  subscribe(listener: (batch: BatchRecord) => void): () => void;
  /** Resolves when the batch has reached a final status, and what its deadline left over has a batch of its own. */
  settled(id: string): Promise<BatchRecord>;
}

/** The batches, and the end of them. */
export interface RunningBatches {
  readonly batches: Batches;
  /** Called when the service's own engine is another one now. */
  readonly noteEngine: () => void;
  /** Adds other work for an engine, the service's own by default, next to that of the batches. */
  readonly addQueue: (queue: WorkQueue, engine?: Engine) => QueueHandle;
  /** Starts no more lines, awaits those in flight for `grace` milliseconds or until `cut`, and leaves all on disk. */
  close(grace: number, cut?: AbortSignal): Promise<void>;
}

/** Starts the batches of a store: those that had not ended carry on. */
export function startBatches(parts: BatchDeps): RunningBatches {
  const { store, archive, engine, ids, logger } = parts;
  /** What is read of batches is read of all that are listed. */
  const listed = (archive?.joined ?? store).batches;
  const scheduler = createScheduler(engine, parts);
  /** Each engine has a budget of its own. */
  const schedulers = new Map<Engine, Scheduler>([[engine, scheduler]]);
  const changes = createThrottledEmitter<BatchRecord>(parts.machine, logger, ({ id, status }) => ({
    id,
    status,
    isOver: finalStatuses.has(status),
  }));
  const lifecycles = new Map<string, BatchLifecycle>();
  /** What follows the end of a batch: the rest that its deadline left over is asked. */
  const followUps = new Map<string, Promise<void>>();
  const known = createKnownAnswers(parts);
  const tracker = createThroughputTracker(parts);
  const late = createLateResults({ ...parts, clock: (parts.connectionRuntime ?? parts).clock }, onChange);
  /** Two retries at once must not ask the same lines, and none is made of a batch that is being deleted. */
  const inTurn = createQueue();
  let closed = false;

  function start(batchId: string): void {
    const started = startLifecycle(partsOf(find(batchId)), schedulerOf, batchId, onChange);
    lifecycles.set(batchId, started);
    follow(
      batchId,
      started.done.then(async () => {
        lifecycles.delete(batchId);
        const batch = store.batches.get(batchId);
        if (!closed && batch !== undefined && hasDeadlineRest(batch)) await askRest(batch);
      }),
    );
  }

  function follow(batchId: string, end: Promise<void>): void {
    const followed = end
      .catch((error: unknown) => {
        logger.error("A batch was given up until the next start", { batch: batchId, error: String(error) });
      })
      .finally(() => followUps.delete(batchId));
    followUps.set(batchId, followed);
  }

  function askRest(batch: BatchRecord): Promise<void> {
    const setNotice = (notice: string) => change({ ...find(batch.id), notice });
    const noteAsked = (notice = find(batch.id).notice) => change({ ...find(batch.id), notice, restAsked: true });
    return askDeadlineRest({ ...parts, setNotice, noteAsked, retry: batches.retry }, batch);
  }

  function schedulerOf(target: Engine): Scheduler {
    const known = schedulers.get(target) ?? createScheduler(target, { ...parts, ...parts.connectionRuntime });
    schedulers.set(target, known);
    return known;
  }

  function partsOf({ connection, scope }: BatchRecord): LifecycleDeps {
    return { ...parts, faults: parts.faults.of(scope), ...(connection === null ? {} : parts.connectionRuntime), known };
  }

  function change(batch: BatchRecord): void {
    store.batches.put(batch);
    onChange(batch);
  }

  function onChange(batch: BatchRecord): void {
    tracker.follow(batch, lifecycles.get(batch.id)?.takePeak() ?? 0);
    changes.emit(batch);
  }

  function find(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw unknownBatch(id);
    return batch;
  }

  /** Of another data folder nothing is changed. */
  function findOwn(id: string): BatchRecord {
    if (archive?.batches.get(id) === undefined) return find(id);
    const message = `This is a job of the command line: sheaf status ${id} and sheaf retry ${id} work on it.`;
    throw new ServiceError("batch_read_only", message);
  }

  /** Notes for the batches that the engine answers whether that may cost. */
  function noteEngine(): void {
    if (engine.mayCost !== true) return;
    for (const { id } of store.batches.list()) {
      const note = () => {
        const batch = store.batches.get(id);
        if (batch === undefined || batch.connection !== null || batch.mayCost || finalStatuses.has(batch.status))
          return;
        store.batches.put({ ...batch, mayCost: true });
      };
      store.disk.retry(note).catch((error: unknown) => {
        logger.error("It can't be noted that a batch may cost", { batch: id, error: String(error) });
      });
    }
  }

  async function create(input: CreateBatch): Promise<BatchRecord> {
    if (closed) throw new ServiceError("service_closing", "Sheaf is closing. Start it, and try again.");
    const file = validateCreate(input, store.files.get(input.inputFileId));
    if (input.connection && parts.connectionRuntime === null) {
      throw new ServiceError("invalid_value", "This service has no connections.", "connection");
    }
    const { clock } = (input.connection && parts.connectionRuntime) || parts;
    const created = clock.now();
    const unpriced = { models: [], isDirect: false, day: new Date(created) };
    const about = input.connection && (await parts.connectionRuntime?.connections.describe(input.connection, unpriced));
    const batch = toNewRecord(input, file, {
      id: ids.create("batch"),
      created,
      connectionName: about ? about.name : null,
      mayCost: input.connection == null && engine.mayCost === true,
    });
    // A retry of a deleted batch is hidden with it: it could neither run nor be cancelled.
    if (input.link?.kind === "retry" && store.batches.get(input.link.root) === undefined) throw rootDeleted();
    store.batches.put(batch);
    try {
      await store.synced();
    } catch (error) {
      // What is refused is sent again: there must not be two of it then.
      store.disk.retry(() => store.batches.remove(batch.id)).catch(() => {});
      throw error;
    }
    onChange(batch);
    if (!closed) start(batch.id);
    return batch;
  }

  /** Deleted retries go, too. A batch that was deleted before its end does not run. */
  function removeGroup(batch: BatchRecord): Promise<void> {
    return inTurn(async () => {
      const removed = [...listAllRetries(store, batch.id), batch];
      const mayRun = ({ id }: BatchRecord) => lifecycles.has(id) || store.batches.get(id) !== undefined;
      refuseRunning(removed.filter(mayRun), batch.id);
      for (const { id } of removed) await lifecycles.get(id)?.done;
      await removeBatches(parts, removed);
    });
  }

  const batches: Batches = {
    create,
    get(id, owner) {
      const batch = listed.get(id);
      return batch !== undefined && belongsTo(batch, owner) ? batch : undefined;
    },
    isKept: (id) => (store.all.batches.get(id) ?? listed.get(id)) !== undefined,
    isReadOnly: (id) => archive?.batches.get(id) !== undefined,
    list({ limit, after, trials = false, owner }) {
      const all = listed.list().filter((batch) => (trials || batch.link?.kind !== "trial") && belongsTo(batch, owner));
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) throw unknownBatch(after);
      return { batches: all.slice(start, start + limit), hasMore: start + limit < all.length };
    },
    async cancel(id) {
      const running = lifecycles.get(findOwn(id).id);
      if (running?.isExpiring) await running.done;
      const batch = find(id);
      const isCancelled = batch.status === "cancelling" || batch.status === "cancelled";
      if (!isCancelled && (running === undefined || nextStatus(batch.status, "cancel_requested") === null)) {
        throw new ServiceError("batch_not_cancellable", `Cannot cancel a batch with status '${batch.status}'.`);
      }
      const written = (isCancelled ? Promise.resolve() : running?.cancel())?.then(() => store.disk.retry(store.synced));
      await withinCancel(written, parts);
      return find(id);
    },
    retry: (request) => inTurn(() => retryBatch({ ...parts, create }, request, findOwn(request.id))),
    planRetry: (request) => planRetry(parts, request, find(request.id)),
    setDeadline(id, deadline) {
      const running = lifecycles.get(id);
      if (findOwn(id).connection === null) {
        throw new ServiceError("invalid_value", "Only a batch on a connection can have a deadline.", "deadline");
      }
      if (running === undefined) throw new ServiceError("batch_not_cancellable", "This batch has ended.");
      running.setDeadline(deadline);
      return find(id);
    },
    async settleCreate(id, choice) {
      const running = lifecycles.get(findOwn(id).id);
      if (running === undefined) throw new ServiceError("nothing_to_settle", "This batch has ended.");
      await running.settleCreate(choice);
      return find(id);
    },
    async resume(id) {
      const running = lifecycles.get(findOwn(id).id);
      if (running === undefined || !find(id).unclear) {
        throw new ServiceError("nothing_to_settle", "It is known what was done for this batch.");
      }
      running.resume();
      await store.synced();
      return find(id);
    },
    stopWaiting(id) {
      const running = lifecycles.get(find(id).id);
      if (running === undefined) throw new ServiceError("nothing_to_settle", "This batch has ended.");
      running.stopWaiting();
      return find(id);
    },
    async fetchAgain(id) {
      await late.read(find(id).id);
      return find(id);
    },
    rename(id, name) {
      const batch = findOwn(id);
      const renamed = { ...batch, metadata: { ...batch.metadata, name } };
      change(renamed);
      return renamed;
    },
    async countKnown(connection, inputPath, signal) {
      const identity = (await parts.connectionRuntime?.connections.identify(connection, batchEndpoint)) ?? null;
      return identity === null ? noneKnown : await countKnown(identity, known, inputPath, signal);
    },
    async moveToDeleted(id) {
      const findGroup = () => [...listRetries(store, id), findOwn(id)];
      const refuse = () => {
        const group = findGroup();
        refuseRunning(group, id);
        if (group.some((one) => late.isReading(one.id))) throw beingFetched();
      };
      refuse();
      for (const one of findGroup()) {
        await lifecycles.get(one.id)?.done;
        await followUps.get(one.id);
        await parts.stopRuns(one.id);
      }
      // Meanwhile one of them may have been asked again, or is being asked now.
      await inTurn(async () => {
        refuse();
        await deleteBatch(parts, findOwn(id), listRetries(store, id));
      });
    },
    listDeleted: () => listDeletedBatches(store),
    async restore(id) {
      for (const batch of await restoreBatch(parts, id)) {
        onChange(batch);
        if (!finalStatuses.has(batch.status) && !lifecycles.has(batch.id)) start(batch.id);
      }
      return find(id);
    },
    async purge(id) {
      await removeGroup(findDeleted(store, id));
    },
    async remove(id, { withRetries = true } = {}) {
      const batch = findOwn(id);
      const retries = listRetries(store, id);
      if (!withRetries && retries.length > 0) throw hasRetries(retries);
      await removeGroup(batch);
    },
    async discard(id) {
      const batch = store.all.batches.get(id) ?? findOwn(id);
      await lifecycles.get(id)?.close(0);
      await followUps.get(id);
      await removeBatches(parts, [batch]);
    },
    progress: (id) => (batches.isReadOnly(id) ? noProgress : tracker.progress(find(id))),
    watch: (id) => lifecycles.get(id)?.watch(),
    subscribe(listener) {
      const stops = [changes.subscribe(listener), archive?.subscribe(listener)];
      return () => {
        for (const stop of stops) stop?.();
      };
    },
    async settled(id) {
      find(id);
      await followUps.get(id);
      const batch = find(id);
      if (!finalStatuses.has(batch.status)) throw new Error(`The service was closed before batch ${id} ended.`);
      return batch;
    },
  };

  noteEngine();
  for (const batch of store.batches.list().reverse()) {
    if (!finalStatuses.has(batch.status)) start(batch.id);
    else if (hasDeadlineRest(batch)) follow(batch.id, askRest(batch));
  }

  return {
    batches,
    noteEngine,
    addQueue: (queue, target) => schedulerOf(target ?? engine).add(queue),
    async close(grace, cut) {
      closed = true;
      await Promise.all(Array.from(lifecycles.values(), (running) => running.close(grace, cut)));
      await late.close();
      tracker.close();
      changes.close();
    },
  };
}

/** Of a batch that another process runs. */
const noProgress: BatchProgress = { rate: null, timeLeft: null, throughput: [] };

function unknownBatch(id: string): ServiceError {
  return new ServiceError("not_found", `No such batch: ${shorten(id)}.`, "batch_id");
}

/** How long a cancel is held up by a disk that refuses before it is answered so, in milliseconds. */
const longestUnwritten = 5_000;

async function withinCancel(written: Promise<void> | undefined, { machine, store }: BatchDeps): Promise<void> {
  const late = Promise.withResolvers<never>();
  const stop = machine.after(longestUnwritten, () => {
    const { code, message } = store.disk.failure ?? { code: "disk_failed", message: "The disk does not answer." };
    late.reject(new ServiceError(code, `Nothing more of the batch is sent, but its cancel is not written. ${message}`));
  });
  try {
    await Promise.race([written, late.promise]);
  } finally {
    stop();
  }
}

function stillRunning({ id, metadata }: BatchRecord, asked: string): ServiceError {
  const which = id === asked ? "This batch" : `Its retry ${quote(metadata.name ?? id)}`;
  return new ServiceError("batch_running", `${which} has not ended. Cancel it first.`);
}

function refuseRunning(group: readonly BatchRecord[], asked: string): void {
  const running = group.find(({ status }) => !finalStatuses.has(status));
  if (running !== undefined) throw stillRunning(running, asked);
}

function rootDeleted(): ServiceError {
  return new ServiceError("not_found", "The batch of these requests was deleted. Restore it, then retry.", "batch_id");
}

function beingFetched(): ServiceError {
  const message = "Results of this batch are being fetched. Delete it when they have arrived.";
  return new ServiceError("batch_running", message);
}

function hasRetries(retries: readonly BatchRecord[]): ServiceError {
  const ids = retries.map(({ id }) => id).join(", ");
  return new ServiceError(
    "batch_in_use",
    `This batch has been retried, and is read as one with its retries. Delete these first: ${ids}.`,
  );
}
