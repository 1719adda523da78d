import type { LineOutcome, Outcome } from "./run-file.ts";

/** Chunks that wait for the worker, so that it is never idle. */
const chunksAhead = 2;

/** A line with what is needed to judge it. */
interface Input {
  readonly line: number;
}

/** Where outcomes go, and what ends the work: with the signal's reason. */
export interface WorkTarget<Mark extends string> {
  /** Resolves when they are on disk. */
  readonly record: (outcomes: readonly LineOutcome<Mark>[]) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Hands the lines to a worker, a chunk at a time. Rejects with the first failure. */
export async function workInChunks<I extends Input, Mark extends string>(
  chunks: AsyncIterable<readonly I[]>,
  judge: (inputs: readonly I[], signal: AbortSignal) => Promise<readonly Outcome<Mark>[]>,
  { record, signal }: WorkTarget<Mark>,
): Promise<void> {
  const waiting: Promise<void>[] = [];
  const judgeChunk = async (chunk: readonly I[]) => {
    const outcomes = await judge(chunk, signal);
    await record(
      chunk.flatMap(({ line }, at) => {
        const outcome = outcomes[at];
        return outcome === undefined ? [] : [{ line, ...outcome }];
      }),
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
