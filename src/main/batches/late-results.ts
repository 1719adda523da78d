import { finalStatuses } from "#contract";
import { createQueue, type RemotePart, ServiceError } from "#main/base";
import { sumTokens } from "#main/results";
import type { BatchRecord } from "#main/storage";
import { openAnswerFiles } from "./answer-files.ts";
import type { BatchDeps } from "./deps.ts";
import { createRemoteJob } from "./remote-job.ts";
import { copyLate, findIdentical } from "./reuse-answers.ts";
import { withAnswers } from "./state.ts";

/** Results that services counted as done and handed out only after the end of their batch. */
export interface LateResults {
  /** Reads once what an ended batch awaits. Rejects with a ServiceError where it awaits nothing, or its service can't be read. */
  read(id: string): Promise<void>;
  /** Whether the results of a batch are being read now. */
  isReading(id: string): boolean;
  close(): Promise<void>;
}

/** Between two reads of the same results, in milliseconds. */
const interval = 60 * 60_000;

/** Whether an ended batch awaits results. */
function isAwaiting({ status, remote }: BatchRecord): boolean {
  return finalStatuses.has(status) && (remote ?? []).some(({ awaited, isFetched }) => isFetched && awaited !== null);
}

/** Reads awaited results hourly while the service that has the batches is open, as long as they are kept there. */
export function createLateResults(parts: BatchDeps, onChange: (batch: BatchRecord) => void): LateResults {
  const { store, indexes, machine, logger, connectionRuntime } = parts;
  const closing = new AbortController();
  const inTurn = createQueue();
  let beingRead: string | null = null;

  function find(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new ServiceError("not_found", "No such batch.", "batch_id");
    return batch;
  }

  function update(id: string, change: Partial<BatchRecord>, isLasting: boolean): void {
    const next = { ...find(id), ...change };
    if (isLasting) store.batches.put(next);
    else store.batches.setWithoutJournal(next);
    onChange(next);
  }

  async function read(id: string): Promise<void> {
    closing.signal.throwIfAborted();
    const batch = find(id);
    if (!isAwaiting(batch)) throw new ServiceError("nothing_to_settle", "No result of this batch is awaited.");
    const { connection, endpoint, onceIdentical } = batch;
    const connections = connectionRuntime?.connections;
    const target = connection === null ? null : await connections?.open(connection, false);
    const identity = connection === null ? null : await connections?.identify(connection, endpoint);
    if (target?.kind !== "remote") {
      throw new ServiceError("nothing_to_settle", "The connection of this batch is gone. Add it again, then fetch.");
    }
    // The ledger is read anew: it has grown since this index was opened, or lacked entries then.
    await indexes.get(batch);
    indexes.forget(id);
    const opened = await indexes.open(batch);
    const { index } = opened;
    const answers = await openAnswerFiles(parts, id, opened, (counts) =>
      update(id, withAnswers(find(id), counts), false),
    );
    let failure: ServiceError | null = null;
    try {
      const copying = { ...parts, current: () => find(id), index, answers, isOver: () => closing.signal.aborted };
      const reuse = onceIdentical && identity ? { ...copying, identity } : null;
      const identical = reuse === null ? noLines : await findIdentical(reuse);
      // The service was not asked for these lines: they follow the first that has their request.
      const isAwaited = (line: number) => index.isAwaited(line) && !identical.has(line);
      const job = createRemoteJob(
        { ...parts, batchId: id, index: { ...index, isAwaited }, answers, onWaiting: () => {} },
        () => find(id),
        (change, isLasting) => update(id, change, isLasting),
      );
      // What came before it failed is kept as in a read that succeeded.
      try {
        await target.driver.readLate(job, closing.signal);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        failure = error;
      }
      if (reuse !== null) update(id, { copied: await copyLate(reuse, identical) }, false);
      await answers.finish();
      update(id, { usage: sumTokens(index.columns) }, true);
    } finally {
      await answers.abandon();
      indexes.forget(id);
    }
    const came = find(id).counts.completed - batch.counts.completed;
    if (came > 0) await parts.judgeLate(id, came);
    if (failure !== null) throw failure;
  }

  const readInTurn = (id: string) =>
    inTurn(async () => {
      beingRead = id;
      await read(id).finally(() => {
        beingRead = null;
      });
    });

  async function readDue(): Promise<void> {
    const now = machine.wall();
    const isDue = ({ awaited }: RemotePart) =>
      awaited !== null && now < awaited.until && now - awaited.readAt >= interval;
    for (const batch of store.batches.list()) {
      if (closing.signal.aborted || !isAwaiting(batch) || !batch.remote?.some(isDue)) continue;
      await readInTurn(batch.id).catch((error: unknown) => {
        logger.info("Awaited results can't be read yet", { batch: batch.id, error: String(error) });
      });
    }
  }

  const stop = connectionRuntime === null ? () => {} : machine.every(interval, () => void readDue(), { unref: true });
  const first = connectionRuntime === null ? Promise.resolve() : readDue();

  return {
    read: readInTurn,
    isReading: (id) => id === beingRead,
    async close() {
      stop();
      closing.abort();
      await first;
      await inTurn(async () => {}).catch(() => {});
    },
  };
}

const noLines: ReadonlyMap<number, number> = new Map();
