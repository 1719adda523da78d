import { batchEndpoint, finalStatuses } from "#contract";
import type { CreateChoice, Engine } from "#main/base";
import { createQueue, ServiceError } from "#main/base";
import type { BatchRecord } from "#main/storage";
import { createDecisions } from "./decisions.ts";
import type { DeletedBatch } from "./deleted-batches.ts";
import type { BatchDeps, CreateBatch } from "./deps.ts";
import { countKnown, createKnownAnswers, type KnownCount, noneKnown } from "./known-answers.ts";
import { createLateResults } from "./late-results.ts";
import { createLiveBatches, unknownBatch } from "./live-batches.ts";
import { toNewRecord, validateCreate } from "./new-batch.ts";
import { belongsTo, type Owner } from "./owner.ts";
import { createRemovals } from "./removals.ts";
import { planRetry, type RetryBatch, retryBatch } from "./retry-batch.ts";
import type { RaisedLine } from "./retry-requests.ts";
import type { QueueHandle, WorkQueue } from "./scheduler.ts";
import type { BatchProgress } from "./throughput.ts";

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
  const known = createKnownAnswers(parts);
  const live = createLiveBatches({ ...parts, known, retry });
  const { find, findOwn } = live;
  const late = createLateResults({ ...parts, clock: (parts.connectionRuntime ?? parts).clock }, live.onChange);
  /** Two retries at once must not ask the same lines, and none is made of a batch that is being deleted. */
  const inTurn = createQueue();

  function retry(request: RetryBatch): Promise<BatchRecord> {
    return inTurn(() => retryBatch({ ...parts, create }, request, findOwn(request.id)));
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
    if (live.isClosed) throw new ServiceError("service_closing", "Sheaf is closing. Start it, and try again.");
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
    live.onChange(batch);
    if (!live.isClosed) live.start(batch.id);
    return batch;
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
    ...createDecisions(parts, live, late),
    retry,
    planRetry: (request) => planRetry(parts, request, find(request.id)),
    async countKnown(connection, inputPath, signal) {
      const identity = (await parts.connectionRuntime?.connections.identify(connection, batchEndpoint)) ?? null;
      return identity === null ? noneKnown : await countKnown(identity, known, inputPath, signal);
    },
    ...createRemovals({ ...parts, live, late, inTurn }),
    progress: (id) => (batches.isReadOnly(id) ? noProgress : live.progress(find(id))),
    watch: (id) => live.get(id)?.watch(),
    subscribe(listener) {
      const stops = [live.subscribe(listener), archive?.subscribe(listener)];
      return () => {
        for (const stop of stops) stop?.();
      };
    },
    async settled(id) {
      find(id);
      await live.ended(id);
      const batch = find(id);
      if (!finalStatuses.has(batch.status)) throw new Error(`The service was closed before batch ${id} ended.`);
      return batch;
    },
  };

  noteEngine();
  live.startAll();

  return {
    batches,
    noteEngine,
    addQueue: (queue, target) => live.schedulerOf(target ?? engine).add(queue),
    async close(grace, cut) {
      await live.stop(grace, cut);
      await late.close();
      live.close();
    },
  };
}

/** Of a batch that another process runs. */
const noProgress: BatchProgress = { rate: null, timeLeft: null, throughput: [] };

function rootDeleted(): ServiceError {
  return new ServiceError("not_found", "The batch of these requests was deleted. Restore it, then retry.", "batch_id");
}
