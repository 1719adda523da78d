import { setMaxListeners } from "node:events";
import type { QueueHandle, WorkQueue } from "#main/batches";
import type { LineOutcome, Outcome } from "./run-file.ts";

/** Chunks that wait for the worker, so that it is never idle. */
const chunksAhead = 2;

/** A line with what is needed to judge it. */
interface Input {
  readonly line: number;
}

/** Where outcomes go, and what ends the work: with the signal's reason. */
export interface WorkTarget<Mark extends string> {
  /** Resolves when they are on disk. `inFlight` is how many lines were judged at the same time. */
  readonly record: (outcomes: readonly LineOutcome<Mark>[], inFlight: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Hands the lines to a worker, a chunk at a time. Rejects with the first failure. */
export async function workInChunks<I extends Input, Mark extends string>(
  chunks: AsyncIterable<readonly I[]>,
  judge: (inputs: readonly I[], signal: AbortSignal) => Promise<readonly Outcome<Mark>[]>,
  { record, signal }: WorkTarget<Mark>,
): Promise<void> {
  const waiting: Promise<void>[] = [];
  let inFlight = 0;
  const judgeChunk = async (chunk: readonly I[]) => {
    inFlight += chunk.length;
    const outcomes = await judge(chunk, signal);
    const together = inFlight;
    inFlight -= chunk.length;
    await record(
      chunk.flatMap(({ line }, at) => {
        const outcome = outcomes[at];
        return outcome === undefined ? [] : [{ line, ...outcome }];
      }),
      together,
    );
  };
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    const judging = judgeChunk(chunk);
    judging.catch(() => undefined);
    waiting.push(judging);
    if (waiting.length >= chunksAhead) await waiting.shift();
  }
  await Promise.all(waiting);
}

/** Adds work for an engine to that of the batches. */
export type AddQueue = (queue: WorkQueue) => QueueHandle;

/** Where work for a connection's engine is added, or for this computer's. Rejects when the connection can't be had. */
export type OpenQueue = (connectionId: string | undefined) => Promise<AddQueue>;

/**
 * Asks the engine line by line, as many at a time as its scheduler gives next to the batches. A line that `judge` answers
 * with null is left out. Rejects with the first failure.
 */
export async function workThroughEngine<I extends Input, Mark extends string>(
  chunks: AsyncIterable<readonly I[]>,
  judge: (input: I, signal: AbortSignal) => Promise<Outcome<Mark> | null>,
  { record, signal }: WorkTarget<Mark>,
  addQueue: AddQueue,
): Promise<void> {
  const reader = chunks[Symbol.asyncIterator]();
  const failure = new AbortController();
  const stopped = AbortSignal.any([signal, failure.signal]);
  setMaxListeners(0, stopped);
  let ready: I[] = [];
  let loading = false;
  let isRead = false;
  let inFlight = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();

  function fail(reason: unknown): void {
    failure.abort(reason);
    reject(reason);
  }

  async function load(): Promise<void> {
    loading = true;
    try {
      const next = await reader.next();
      if (next.done) isRead = true;
      else ready = [...next.value];
    } catch (error) {
      fail(error);
    }
    loading = false;
    queue.wake();
    endWhenDone();
  }

  function endWhenDone(): void {
    if (isRead && !loading && ready.length === 0 && inFlight === 0) resolve();
  }

  async function judgeOne(input: I): Promise<void> {
    try {
      const outcome = await judge(input, stopped);
      if (outcome !== null) await record([{ line: input.line, ...outcome }], inFlight);
    } catch (error) {
      fail(error);
    }
    inFlight -= 1;
    endWhenDone();
  }

  const queue = addQueue({
    weight: 1,
    take() {
      if (stopped.aborted || loading || isRead) return null;
      const next = ready.shift();
      if (next === undefined) {
        void load();
        return null;
      }
      inFlight += 1;
      return () => judgeOne(next);
    },
    fail,
  });
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    queue.wake();
    await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    queue.remove();
    await reader.return?.();
  }
}
