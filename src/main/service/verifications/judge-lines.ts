import { setMaxListeners } from "node:events";
import type { Lane, LaneHandle } from "../batches/index.ts";
import { type JudgedLine, type Judgement, toJudgement } from "../verdicts/index.ts";
import type { Verifier } from "../verify/index.ts";
import type { JudgeThread } from "./judge-thread.ts";
import type { LineInput } from "./read-inputs.ts";

/** Chunks that wait for the thread of the rules, so that it is never idle. */
const chunksAhead = 2;

/** Takes what has been judged; resolves when it is on disk. */
export type PutDown = (lines: readonly JudgedLine[]) => Promise<void>;

/** Judges all lines, and resolves when all verdicts are put down. Rejects with the first failure, or the signal's reason. */
export type JudgeLines = (
  inputs: AsyncIterable<readonly LineInput[]>,
  putDown: PutDown,
  signal: AbortSignal,
) => Promise<void>;

/** By rules: a chunk at a time goes to the thread. */
export function createRulesJudging(thread: JudgeThread): JudgeLines {
  return async (inputs, putDown, signal) => {
    const waiting: Promise<void>[] = [];
    const judge = async (chunk: readonly LineInput[]) => {
      const judgements = await thread.client().judge(
        chunk.map(({ input }) => input),
        { signal },
      );
      await putDown(join(chunk, judgements));
    };
    for await (const chunk of inputs) {
      signal.throwIfAborted();
      const judging = judge(chunk);
      judging.catch(() => undefined);
      waiting.push(judging);
      if (waiting.length >= chunksAhead) await waiting.shift();
    }
    await Promise.all(waiting);
  };
}

function join(chunk: readonly LineInput[], judgements: readonly Judgement[]): JudgedLine[] {
  return chunk.flatMap(({ line }, at) => {
    const judgement = judgements[at];
    return judgement === undefined ? [] : [{ line, judgement }];
  });
}

/** Takes work for the engine in, beside that of the batches. */
export type AddLane = (lane: Lane) => LaneHandle;

/** By a model: line by line, as many at a time as the scheduler of the engine gives it beside the batches. */
export function createModelJudging(verifier: Verifier, addLane: AddLane): JudgeLines {
  return async (inputs, putDown, signal) => {
    const reader = inputs[Symbol.asyncIterator]();
    const failure = new AbortController();
    const stopped = AbortSignal.any([signal, failure.signal]);
    setMaxListeners(0, stopped);
    let ready: LineInput[] = [];
    let loading = false;
    let ended = false;
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
        if (next.done) ended = true;
        else ready = [...next.value];
      } catch (error) {
        fail(error);
      }
      loading = false;
      lane.wake();
      endWhenDone();
    }

    function endWhenDone(): void {
      if (ended && !loading && ready.length === 0 && inFlight === 0) resolve();
    }

    async function judge({ line, input }: LineInput): Promise<void> {
      try {
        const result = await verifier.verify(input, { signal: stopped });
        await putDown([{ line, judgement: toJudgement(result) }]);
      } catch (error) {
        fail(error);
      }
      inFlight -= 1;
      endWhenDone();
    }

    const lane = addLane({
      weight: 1,
      take() {
        if (stopped.aborted || loading || ended) return null;
        const next = ready.shift();
        if (next === undefined) {
          void load();
          return null;
        }
        inFlight += 1;
        return () => judge(next);
      },
    });
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      lane.wake();
      await promise;
    } finally {
      signal.removeEventListener("abort", stop);
      lane.remove();
      await reader.return?.();
    }
  };
}
