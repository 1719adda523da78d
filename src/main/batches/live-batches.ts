import { finalStatuses } from "#contract";
import { createThrottledEmitter, type Engine, ServiceError, shorten } from "#main/base";
import type { BatchRecord } from "#main/storage";
import { type BatchLifecycle, type LifecycleDeps, startLifecycle } from "./batch-lifecycle.ts";
import { askDeadlineRest, hasDeadlineRest } from "./deadline-rest.ts";
import type { BatchDeps } from "./deps.ts";
import type { KnownAnswers } from "./known-answers.ts";
import type { RetryBatch } from "./retry-batch.ts";
import { createScheduler, type Scheduler } from "./scheduler.ts";
import { type BatchProgress, createThroughputTracker } from "./throughput.ts";

interface LiveDeps extends BatchDeps {
  readonly known: KnownAnswers;
  /** Asks what the deadline of a batch left over. */
  readonly retry: (request: RetryBatch) => Promise<BatchRecord>;
}

/** The batches that have not ended, each with its life cycle, and the one place where records are changed and changes are reported. */
export interface LiveBatches {
  /** Throws a ServiceError where there is no such batch. */
  find(id: string): BatchRecord;
  /** The same. Throws, too, where the batch is of another data folder, of which nothing is changed. */
  findOwn(id: string): BatchRecord;
  /** Undefined for a batch that has ended. */
  get(id: string): BatchLifecycle | undefined;
  start(id: string): void;
  /** Starts all that have not ended. */
  startAll(): void;
  change(batch: BatchRecord): void;
  onChange(batch: BatchRecord): void;
  /** Resolves when the batch has ended, and with it what follows its end. */
  ended(id: string): Promise<void>;
  subscribe(listener: (batch: BatchRecord) => void): () => void;
  progress(batch: BatchRecord): BatchProgress;
  schedulerOf(engine: Engine): Scheduler;
  readonly isClosed: boolean;
  /** From now on none is started; those that run stop where they are. */
  stop(grace: number, cut?: AbortSignal): Promise<void>;
  /** Reports no more. */
  close(): void;
}

export function createLiveBatches(parts: LiveDeps): LiveBatches {
  const { store, archive, engine, logger } = parts;
  /** Each engine has a budget of its own. */
  const schedulers = new Map<Engine, Scheduler>([[engine, createScheduler(engine, parts)]]);
  const changes = createThrottledEmitter<BatchRecord>(parts.machine, logger, ({ id, status }) => ({
    id,
    status,
    isOver: finalStatuses.has(status),
  }));
  const lifecycles = new Map<string, BatchLifecycle>();
  /** What follows the end of a batch: the rest that its deadline left over is asked. */
  const followUps = new Map<string, Promise<void>>();
  const tracker = createThroughputTracker(parts);
  let isClosed = false;

  function start(batchId: string): void {
    const started = startLifecycle(partsOf(find(batchId)), schedulerOf, batchId, onChange);
    lifecycles.set(batchId, started);
    follow(
      batchId,
      started.done.then(async () => {
        lifecycles.delete(batchId);
        const batch = store.batches.get(batchId);
        if (!isClosed && batch !== undefined && hasDeadlineRest(batch)) await askRest(batch);
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
    return askDeadlineRest({ ...parts, setNotice, noteAsked }, batch);
  }

  function schedulerOf(target: Engine): Scheduler {
    const known = schedulers.get(target) ?? createScheduler(target, { ...parts, ...parts.connectionRuntime });
    schedulers.set(target, known);
    return known;
  }

  function partsOf({ connection, scope }: BatchRecord): LifecycleDeps {
    return { ...parts, faults: parts.faults.of(scope), ...(connection === null ? {} : parts.connectionRuntime) };
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

  function findOwn(id: string): BatchRecord {
    if (archive?.batches.get(id) === undefined) return find(id);
    const message = `${id} is a job of the command line. You can read and export it here. To change it, use the command line.`;
    throw new ServiceError("batch_read_only", message);
  }

  return {
    find,
    findOwn,
    get: (id) => lifecycles.get(id),
    start,
    startAll() {
      for (const batch of store.batches.list().reverse()) {
        if (!finalStatuses.has(batch.status)) start(batch.id);
        else if (hasDeadlineRest(batch)) follow(batch.id, askRest(batch));
      }
    },
    change,
    onChange,
    async ended(id) {
      await followUps.get(id);
    },
    subscribe: (listener) => changes.subscribe(listener),
    progress: (batch) => tracker.progress(batch),
    schedulerOf,
    get isClosed() {
      return isClosed;
    },
    async stop(grace, cut) {
      isClosed = true;
      await Promise.all(Array.from(lifecycles.values(), (running) => running.close(grace, cut)));
    },
    close() {
      tracker.close();
      changes.close();
    },
  };
}

export function unknownBatch(id: string): ServiceError {
  return new ServiceError("not_found", `No such batch: ${shorten(id)}.`, "batch_id");
}
