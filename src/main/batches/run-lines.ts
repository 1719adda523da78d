import { setMaxListeners } from "node:events";
import { backOff } from "#contract";
import type { BatchRun, EndpointCall, EndpointReply, EngineError } from "#main/base";
import type { Faults } from "#main/engines";
import { createEndpointCaller } from "#main/engines";
import type { LineIndex, RequestReader } from "#main/results";
import { describeDiskError, parseJson } from "#main/storage";
import type { AnswerFiles } from "./answer-files.ts";
import type { HeldLines } from "./held-lines.ts";
import type { BatchParts } from "./parts.ts";
import type { Scheduler, Work } from "./scheduler.ts";

/** Answers that may wait for the disk before no more requests are sent, in bytes. */
const mostQueuedBytes = 8 * 1024 * 1024;

/** The lines of a batch on their way through an engine. */
export interface LineRun extends BatchRun {
  /** Whether it stopped before its last line because the batch is to end early. */
  readonly cutShort: boolean;
  /** Called when answers were written: requests that waited for that can be sent. */
  wake(): void;
}

export interface RunParts
  extends Pick<BatchParts, "engine" | "catalog" | "responses" | "clock" | "machine" | "ids" | "logger"> {
  readonly faults: Faults;
  readonly batchId: string;
  /** Where its requests go. */
  readonly endpoint: string;
  readonly scope: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Its share of the engine next to other batches. */
  readonly weight: number;
  /** A line that counts as answered is not asked. */
  readonly index: Pick<LineIndex, "total" | "request" | "isSoundRequest" | "isAnswered" | "hasAnswer">;
  readonly reader: RequestReader;
  readonly answers: AnswerFiles;
  /** Neither are these. While none of the batch's answers could be read, one more line is sent at a time. */
  readonly held: HeldLines;
  readonly store: Pick<BatchParts["store"], "disk">;
  /** After how many lines it stops; null for after the last. */
  readonly stopAfter: number | null;
  readonly scheduler: Scheduler;
  /** Called with the reason when the engine's server can't answer, and with null when it does again. */
  readonly onWaiting: (reason: string | null) => void;
}

/** A wait that is shorter is over before it has been read, in milliseconds. */
const shortestTold = 2_000;
/** Between two attempts at a server that could not answer, in milliseconds. */
const waits = { first: 2_000, longest: 5 * 60_000 };

/**
 * Sends all lines that have no answer yet to the engine, each once. When a request can't be read or an answer can't be
 * recorded, no more lines are sent, and the run rejects with that once those in flight are done.
 */
export function startLineRun(parts: RunParts): LineRun {
  const {
    faults,
    clock,
    machine,
    ids,
    logger,
    batchId,
    endpoint,
    scope,
    metadata,
    weight,
    index,
    reader,
    answers,
    held: unread,
    store: { disk },
    stopAfter,
    scheduler,
    onWaiting,
  } = parts;
  const caller = createEndpointCaller(endpoint, parts);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const abortion = new AbortController();
  const { signal } = abortion;
  setMaxListeners(0, signal);
  let next = 1;
  let cutShort = false;
  let inFlight = 0;
  let stopped = false;
  let loading = false;
  let over = false;
  /** What it met first of our own disk: it ends with that, to be tried again. */
  let failure: unknown = null;
  /** Lines that were sent and not answered, because the server could not. */
  const returned: number[] = [];
  /** Lines that wait as long as the server asks to. */
  let held = 0;
  /** Pauses since the last answer. */
  let pauses = 0;
  let forgetWait: (() => void) | null = null;
  /** Whether an answer to one of the lines could be read. */
  let hasRead = hasAnswers(index);

  /** The first line that is neither answered nor was sent; null when there is none. */
  function nextLine(): number | null {
    while (next <= index.total && (index.isAnswered(next) || unread.has(next))) next += 1;
    return returned[0] ?? (next <= index.total ? next : null);
  }

  function take(): Work | "reading" | null {
    const line = nextLine();
    if (line === null || stopped || forgetWait !== null || answers.queuedBytes > mostQueuedBytes) return null;
    if (loading) return "reading";
    if (unread.size > 0 && !hasRead && inFlight > 0) return null;
    const text = reader.peek(line);
    if (text === null) {
      load(line);
      return "reading";
    }
    // Lines are started in their order, those before this one have all been.
    if (faults.expires(line - 1) || (stopAfter !== null && line > stopAfter)) {
      cutShort = true;
      stop();
      return null;
    }
    if (line === returned[0]) returned.shift();
    else next = line + 1;
    inFlight += 1;
    const isSound = reader.isSound(line);
    return () => runLine(line, text, isSound);
  }

  function stop(): void {
    stopped = true;
    endWhenDone();
  }

  function load(line: number): void {
    loading = true;
    const reading = clock.track(`the requests of ${batchId}`);
    const resume = () => {
      loading = false;
      queue.wake();
      endWhenDone();
      reading.end();
    };
    reader.load(line).then(resume, (error: unknown) => {
      logger.error("The input of a batch can't be read", { batch: batchId, error: String(error) });
      failure ??= error;
      stopped = true;
      resume();
    });
  }

  /**
   * Has a line answered; at once where the engine answers at once. A call is over when its answer is on disk, so that a
   * process that is killed has no more of them to ask again than there may be at a time.
   */
  function runLine(line: number, text: string, isSound: boolean): Promise<void> | null {
    try {
      const { customId, body } = parseRequest(text, isSound);
      const requestId = ids.create("request");
      if (customId === null || body === null) {
        answers.answer({ line, customId, requestId }, describeDamaged(line), null);
        endLine();
        return null;
      }
      const startedAt = clock.monotonic();
      let isHeld = false;
      const onWait = (milliseconds: number) => {
        if (over || milliseconds < shortestTold) return;
        if (!isHeld) held += 1;
        isHeld = true;
        onWaiting(`The service asks to wait ${describeWait(milliseconds)}.`);
      };
      const about = { batchId, customId, number: line, metadata };
      const reply = answer({ endpoint, body, requestId, scope, line: about, signal, onWait });
      const record = (given: EndpointReply | null): Promise<void> | undefined => {
        if (isHeld) held -= 1;
        if (over || given === null) return undefined;
        hasRead ||= given.statusCode === 200;
        if ("unavailable" in given && given.unavailable !== undefined && !(given.isHeld && hasRead)) {
          const milliseconds = clock.monotonic() - startedAt;
          if (given.isHeld) {
            const reply = { statusCode: given.statusCode, body: given.body };
            pause(given.unavailable, 0);
            return disk.retry(() => unread.add({ line, customId, requestId, reply, milliseconds }), { signal });
          }
          returned.push(line);
          pause(given.unavailable, Number(given.headers?.["retry-after"] ?? 0) * 1_000);
          return undefined;
        }
        if (held === 0 && (isHeld || pauses > 0)) onWaiting(null);
        pauses = 0;
        const milliseconds = clock.monotonic() - startedAt;
        const write = () => answers.answer({ line, customId, requestId }, given, milliseconds);
        try {
          write();
        } catch (error) {
          if (describeDiskError(error) === null) throw error;
          // It may have been paid: it is not to be asked again.
          return disk.retry(write, { signal });
        }
        return undefined;
      };
      if (reply instanceof Promise) return reply.then(record).then(answers.drained).catch(giveUp).then(endLine);
      const writing = record(reply);
      if (writing !== undefined) return writing.then(answers.drained).catch(giveUp).then(endLine);
    } catch (error) {
      giveUp(error);
    }
    endLine();
    return null;

    function giveUp(error: unknown): void {
      logger.error("An answer can't be recorded", { batch: batchId, line, error: String(error) });
      failure ??= error;
      stopped = true;
    }
  }

  /** No line fails because a server can't be asked: it is asked again later, with what was sent in vain. */
  function pause(reason: string, asked: number): void {
    if (forgetWait !== null) return;
    onWaiting(reason);
    forgetWait = machine.after(Math.max(backOff(pauses, waits), asked), () => {
      forgetWait = null;
      queue.wake();
      endWhenDone();
    });
    pauses += 1;
  }

  function endLine(): void {
    inFlight -= 1;
    endWhenDone();
  }

  /** The engine's reply. Null when the call was given up; a failure of the engine itself is a reply, too. */
  function answer(call: EndpointCall): EndpointReply | null | Promise<EndpointReply | null> {
    const replyFor = (error: unknown) => {
      if (signal.aborted) return null;
      logger.error("The engine failed", { batch: batchId, request: call.requestId, error: String(error) });
      return engineFailure;
    };
    try {
      const reply = caller.answer(call);
      return reply instanceof Promise ? reply.catch(replyFor) : reply;
    } catch (error) {
      return replyFor(error);
    }
  }

  function endWhenDone(): void {
    const isDone = inFlight === 0 && !loading && (stopped || nextLine() === null);
    if (isDone) end();
  }

  function end(): void {
    if (over) return;
    over = true;
    forgetWait?.();
    queue.remove();
    const written = answers.drained();
    (failure === null ? written : written.then(() => Promise.reject(failure))).then(resolve, reject);
  }

  function fail(error: unknown): void {
    failure ??= error;
    stop();
  }

  const queue = scheduler.add({ weight, take, fail });
  queue.wake();
  endWhenDone();

  return {
    ended,
    get cutShort() {
      return cutShort;
    },
    wake: () => queue.wake(),
    suspend: stop,
    cancel: stop,
    abort(reason) {
      stopped = true;
      end();
      abortion.abort(new Error(reason));
    },
  };
}

function hasAnswers({ total, hasAnswer }: RunParts["index"]): boolean {
  for (let line = 1; line <= total; line++) if (hasAnswer(line)) return true;
  return false;
}

/** The line has passed the check of the whole file: it is an object, or was damaged since. */
function parseRequest(
  text: string,
  isSound: boolean,
): { customId: string; body: EndpointCall["body"] } | { customId: null; body: null } {
  const request = (isSound ? parseJson(text) : undefined) as
    | { readonly custom_id: string; readonly body: EndpointCall["body"] }
    | undefined;
  if (request === undefined) return { customId: null, body: null };
  return { customId: request.custom_id, body: request.body };
}

/** The result of a request whose bytes are not those that were checked. Its id is not known: the message has its line. */
export function describeDamaged(line: number, wasSent = false): Pick<EngineError, "statusCode" | "body"> {
  const outcome = wasSent ? "no result of the service could be matched to it" : "it was not sent";
  const message = `Line ${line} of the input file is damaged on disk: ${outcome}.`;
  return { statusCode: 500, body: { error: { message, type: "server_error", param: null, code: "file_damaged" } } };
}

const engineFailure: EndpointReply = {
  statusCode: 500,
  body: {
    error: {
      message: "The engine failed to answer. The log of the service says more under the request's id.",
      type: "server_error",
      param: null,
      code: "internal_error",
    },
  },
};

function describeWait(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
