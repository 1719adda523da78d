import { setMaxListeners } from "node:events";
import { asObject, asText, type BatchRun } from "#main/base";
import { parseJson } from "#main/storage";
import { createCalls } from "./call-lines.ts";
import { createLineRetries } from "./line-retries.ts";
import { createModelPauses } from "./model-pauses.ts";
import type { RunDeps } from "./run-deps.ts";
import { isQuiet } from "./run-state.ts";
import { createRunWaits } from "./run-waits.ts";
import type { Work } from "./scheduler.ts";

/** Answers that may wait for the disk before no more requests are sent, in bytes. */
const mostQueuedBytes = 8 * 1024 * 1024;

/** The lines of a batch on their way through an engine. */
export interface LineRun extends BatchRun {
  /** Called when answers were written: requests that waited for that can be sent. */
  wake(): void;
  /** The most calls that were in flight since it was last called. */
  takePeak(): number;
}

/**
 * Sends all lines that have no answer yet to the engine, each once. When a request can't be read or an answer can't be
 * recorded, no more lines are sent, and the run rejects with that once those in flight are done.
 */
export function startLineRun(parts: RunDeps): LineRun {
  const { faults, clock, machine, logger, batchId, index, reader, answers, held, run, stopAfter } = parts;
  const { state, send } = run;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const abortion = new AbortController();
  const { signal } = abortion;
  setMaxListeners(0, signal);
  send({ type: "begun", hasRead: hasAnswers(index) });
  const retries = createLineRetries(machine, state().hasRead, parts.triesBefore);
  const models = createModelPauses(machine);
  const onDue = () => {
    queue.wake();
    endWhenDone();
  };
  const waits = createRunWaits({ ...parts, retries, models, hasFresh, onDue });
  const onEnd = () => {
    send({ type: "line_ended" });
    endWhenDone();
    if (state().phase !== "over") waits.plan();
  };
  const callLine = createCalls({ ...parts, retries, models, signal, show: waits.show, onEnd });

  /** Whether there is a line that is neither answered nor was sent. */
  function hasFresh(): boolean {
    const { next } = state();
    let line = next;
    while (line <= index.total && (index.isAnswered(line) || held.has(line))) line += 1;
    if (line > next) send({ type: "passed", next: line });
    return line <= index.total;
  }

  function take(): Work | "reading" | null {
    const wasFresh = hasFresh();
    const taken = takeNext();
    // The last lines may all wait for their model.
    if (taken === null && wasFresh && !hasFresh() && state().inFlight === 0) waits.plan();
    return taken;
  }

  function takeNext(): Work | "reading" | null {
    const { phase, isLoading, hasRead, inFlight } = state();
    if (phase !== "sending" || answers.queuedBytes > mostQueuedBytes || !retries.mayStart()) return null;
    const due = retries.due(hasFresh()) ?? models.due();
    const line = due ?? findFresh();
    if (line === null) return null;
    if (isLoading) return "reading";
    if (held.size > 0 && !hasRead && inFlight > 0) return null;
    const text = reader.peek(line);
    if (text === null) {
      load(line);
      return "reading";
    }
    // Lines are started in their order, those before this one have all been.
    if (faults.expires(line - 1) || (stopAfter !== null && line > stopAfter)) {
      send({ type: "cut_short" });
      endWhenDone();
      return null;
    }
    send({ type: "sent", next: line === due ? 0 : line + 1 });
    models.start(line);
    const call = retries.start(line);
    const isSound = reader.isSound(line);
    return () => callLine(call, text, isSound);
  }

  /** The next line that was not sent; those whose model is paused are kept back. Null for none. */
  function findFresh(): number | null {
    while (hasFresh()) {
      const { next, isLoading } = state();
      const text = models.isAny && !isLoading ? reader.peek(next) : null;
      if (text === null || !models.hold(modelOf(text), next)) return next;
      send({ type: "passed", next: next + 1 });
    }
    return null;
  }

  function load(line: number): void {
    send({ type: "loading" });
    const reading = clock.track(`the requests of ${batchId}`);
    const resume = () => {
      send({ type: "loaded" });
      onDue();
      reading.end();
    };
    reader.load(line).then(resume, (error: unknown) => {
      logger.error("The input of a batch can't be read", { batch: batchId, error: String(error) });
      send({ type: "failed", error });
      resume();
    });
  }

  function stop(): void {
    send({ type: "stopped" });
    endWhenDone();
  }

  function endWhenDone(): void {
    if (!isQuiet(state())) return;
    const isSent = retries.size === 0 && !hasFresh();
    if (isSent && state().phase === "sending") settleModels();
    if (state().phase === "stopping" || (isSent && models.size === 0)) end();
  }

  function end(): void {
    const { phase, failure } = state();
    if (phase === "over") return;
    send({ type: "over" });
    waits.cancel();
    queue.remove();
    const written = answers.drained();
    (failure === null ? written : written.then(() => Promise.reject(failure.error))).then(resolve, reject);
  }

  function settleModels(): void {
    try {
      models.settle();
    } catch (error) {
      send({ type: "failed", error });
    }
  }

  function fail(error: unknown): void {
    send({ type: "failed", error });
    endWhenDone();
  }

  const queue = parts.scheduler.add({ weight: parts.weight, take, fail });
  queue.wake();
  endWhenDone();

  return {
    ended,
    wake: () => queue.wake(),
    takePeak() {
      const { peak } = state();
      send({ type: "peak_taken" });
      return peak;
    },
    suspend: stop,
    cancel: stop,
    abort(reason) {
      stop();
      end();
      abortion.abort(new Error(reason));
    },
  };
}

/** Whether the server has answered one of the lines; answers taken from other batches tell nothing of it. */
function hasAnswers({ total, hasAnswer, answer }: RunDeps["index"]): boolean {
  for (let line = 1; line <= total; line++) if (hasAnswer(line) && answer(line)?.reused !== true) return true;
  return false;
}

function modelOf(text: string): string {
  return asText(asObject(asObject(parseJson(text)).body).model) ?? "";
}
