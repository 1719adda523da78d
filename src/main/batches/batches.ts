import { batchEndpoint, finalStatuses } from "#contract";
import { createQueue, ServiceError } from "#main/base";
import type { BatchRecord } from "#main/storage";
import type { Batches, RunningBatches } from "./batches-port.ts";
import { createDecisions } from "./decisions.ts";
import type { BatchDeps, CreateBatch } from "./deps.ts";
import { countKnown, createKnownAnswers, noneKnown } from "./known-answers.ts";
import { createLateResults } from "./late-results.ts";
import { createLiveBatches, unknownBatch } from "./live-batches.ts";
import { toNewRecord, validateCreate } from "./new-batch.ts";
import { belongsTo } from "./owner.ts";
import { createRemovals } from "./removals.ts";
import { planRetry, type RetryBatch, retryBatch } from "./retry-batch.ts";
import type { BatchProgress } from "./throughput.ts";

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
