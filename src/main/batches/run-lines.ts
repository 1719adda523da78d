import { setMaxListeners } from "node:events";
import { asObject, asText, type BatchRun, type EndpointCall, type EndpointReply, type EngineError } from "#main/base";
import type { Faults } from "#main/engines";
import { createEndpointCaller } from "#main/engines";
import type { LineIndex, RequestReader } from "#main/results";
import { describeDiskError, parseJson } from "#main/storage";
import type { AnswerFiles } from "./answer-files.ts";
import { createCutPrompts } from "./cut-prompts.ts";
import type { BatchDeps } from "./deps.ts";
import type { HeldLines } from "./held-lines.ts";
import { type CallFailure, createLineRetries, type LineTries, type StartedCall } from "./line-retries.ts";
import { createModelPauses } from "./model-pauses.ts";
import type { Scheduler, Work } from "./scheduler.ts";

/** Answers that may wait for the disk before no more requests are sent, in bytes. */
const mostQueuedBytes = 8 * 1024 * 1024;

/** The lines of a batch on their way through an engine. */
export interface LineRun extends BatchRun {
  /** Whether it stopped before its last line because the batch is to end early. */
  readonly cutShort: boolean;
  /** Called when answers were written: requests that waited for that can be sent. */
  wake(): void;
  /** The most calls that were in flight since it was last called. */
  takePeak(): number;
}

export interface RunDeps
  extends Pick<BatchDeps, "engine" | "catalog" | "responses" | "clock" | "machine" | "ids" | "logger"> {
  readonly faults: Faults;
  readonly batchId: string;
  /** Where its requests go. */
  readonly endpoint: string;
  readonly scope: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Its share of the engine next to other batches. */
  readonly weight: number;
  /** A line that counts as answered is not asked. */
  readonly index: Pick<LineIndex, "total" | "request" | "isSoundRequest" | "isAnswered" | "hasAnswer" | "answer">;
  readonly reader: RequestReader;
  readonly answers: AnswerFiles;
  /** Neither are these. While none of the batch's answers could be read, one more line is sent at a time. */
  readonly held: HeldLines;
  readonly store: Pick<BatchDeps["store"], "disk">;
  /** After how many lines it stops; null for after the last. */
  readonly stopAfter: number | null;
  readonly scheduler: Scheduler;
  /** Called with the reason when the engine's server can't answer, and with null when it does again. */
  readonly onWaiting: (reason: string | null) => void;
  /** How often lines were sent in vain before, and called when that has changed. */
  readonly triesBefore: readonly LineTries[];
  readonly onTries: (tries: readonly LineTries[]) => void;
  /** Called with what its user should know of the answers and is no failure. */
  readonly onNotice: (text: string) => void;
}

/** A wait that is shorter is over before it has been read, in milliseconds. */
const shortestTold = 2_000;
/** A wait that is longer is told with its end, in milliseconds. */
const longestUntold = 10 * 60_000;

/**
 * Sends all lines that have no answer yet to the engine, each once. When a request can't be read or an answer can't be
 * recorded, no more lines are sent, and the run rejects with that once those in flight are done.
 */
export function startLineRun(parts: RunDeps): LineRun {
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
    onNotice,
    triesBefore,
    onTries,
  } = parts;
  const caller = createEndpointCaller(endpoint, parts);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const abortion = new AbortController();
  const { signal } = abortion;
  setMaxListeners(0, signal);
  let next = 1;
  let cutShort = false;
  let inFlight = 0;
  let peak = 0;
  let stopped = false;
  let loading = false;
  let over = false;
  /** What it met first of our own disk: it ends with that, to be tried again. */
  let failure: unknown = null;
  /** Lines that wait as long as the server asks to. */
  let held = 0;
  /** Why lines are sent again, or not at all; null while all are sent. */
  let reason: string | null = null;
  let cancelWait = () => {};
  let shown: string | null = null;
  /** Whether an answer to one of the lines could be read. */
  let hasRead = hasAnswers(index);
  const retries = createLineRetries(machine, hasRead, triesBefore);
  const models = createModelPauses(machine);
  /** The mock cuts no prompt. */
  const cutPrompts = parts.engine.isMock === true ? null : createCutPrompts();

  /** Whether there is a line that is neither answered nor was sent. */
  function hasFresh(): boolean {
    while (next <= index.total && (index.isAnswered(next) || unread.has(next))) next += 1;
    return next <= index.total;
  }

  function take(): Work | "reading" | null {
    const wasFresh = hasFresh();
    const taken = takeNext();
    // The last lines may all wait for their model.
    if (taken === null && wasFresh && !hasFresh() && inFlight === 0) waitForNext();
    return taken;
  }

  function takeNext(): Work | "reading" | null {
    if (stopped || answers.queuedBytes > mostQueuedBytes || !retries.mayStart()) return null;
    let isFresh = hasFresh();
    const due = retries.due(isFresh) ?? models.due();
    while (due === null && isFresh && models.isAny) {
      const text = loading ? null : reader.peek(next);
      if (text === null) break;
      if (!models.hold(modelOf(text), next)) break;
      next += 1;
      isFresh = hasFresh();
    }
    const line = due ?? (isFresh ? next : null);
    if (line === null) return null;
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
    if (line !== due) next = line + 1;
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    models.start(line);
    const call = retries.start(line);
    const isSound = reader.isSound(line);
    return () => runLine(call, text, isSound);
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
  function runLine(call: StartedCall, text: string, isSound: boolean): Promise<void> | null {
    const { line } = call;
    try {
      const { customId, body } = parseRequest(text, isSound);
      const requestId = ids.create("request");
      if (customId === null || body === null) {
        retries.settle(call);
        // It may have been the test of its model: another line is the test then.
        models.forget(line);
        answers.append({ line, customId, requestId, reply: describeDamaged(line), milliseconds: null });
        endLine();
        return null;
      }
      const startedAt = clock.monotonic();
      let isHeld = false;
      const onWait = (milliseconds: number) => {
        if (over || milliseconds < shortestTold) return;
        if (!isHeld) held += 1;
        isHeld = true;
        show(`The service asks to wait ${describeWait(milliseconds)}.`);
      };
      const about = { batchId, customId, number: line, metadata };
      const reply = answer({ endpoint, body, requestId, scope, line: about, signal, onWait });
      const record = (given: EndpointReply | null): Promise<void> | undefined => {
        if (isHeld) held -= 1;
        if (over || given === null) return undefined;
        hasRead ||= given.statusCode === 200;
        const milliseconds = clock.monotonic() - startedAt;
        const write = () => answers.append({ line, customId, requestId, reply: given, milliseconds });
        if ("unknownModel" in given && given.unknownModel !== undefined) {
          retries.settle(call);
          models.refuse(modelIn(body), line, given.unknownModel, write);
          return undefined;
        }
        if (given.statusCode === 200) {
          models.accept(modelIn(body));
          const notice = cutPrompts?.add(body, asObject(given.body)) ?? null;
          if (notice !== null) onNotice(notice);
        } else models.forget(line);
        if ("unavailable" in given && given.unavailable !== undefined && !(given.isHeld && hasRead)) {
          if (given.isHeld) {
            const reply = { statusCode: given.statusCode, body: given.body };
            retries.stop(call);
            reason = given.unavailable;
            return disk.retry(() => unread.add({ line, customId, requestId, reply, milliseconds }), { signal });
          }
          if (retries.fail(call, toFailure(given)) === "again") {
            reason = given.unavailable;
            onTries(retries.listTries());
            return undefined;
          }
        } else if (given.statusCode === 200) retries.succeed(call);
        else retries.settle(call);
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

  function endLine(): void {
    inFlight -= 1;
    endWhenDone();
    if (!over) waitForNext();
  }

  /** Goes on when the next line is due, and shows what is waited for. */
  function waitForNext(): void {
    cancelWait();
    const isReady = hasFresh() || models.due() !== null;
    const waits = [retries.nextWait(isReady), models.nextWait()].filter((each) => each !== null);
    const wait = stopped || waits.length === 0 ? null : Math.min(...waits);
    if (wait !== null) {
      cancelWait = machine.after(wait, () => {
        queue.wake();
        endWhenDone();
        // A test of a model may be due while no call may start.
        if (!over && inFlight === 0) waitForNext();
      });
    }
    if (held > 0) return;
    if (models.reason !== null && retries.size === 0 && !hasFresh() && inFlight === 0) {
      show(models.reason);
      return;
    }
    const isIdle = retries.size > 0 && !hasFresh() && inFlight === 0;
    if (reason === null || !(retries.isStopped || isIdle)) {
      if (!retries.isStopped && shown !== null) show(null);
      return;
    }
    const until = wait !== null && wait > longestUntold ? ` Next try: ${describeMoment(machine.wall() + wait)}.` : "";
    const about = retries.isStopped
      ? ""
      : `${retries.size === 1 ? "1 request is" : `${retries.size} requests are`} sent again. `;
    show(`${about}${reason}${until}`);
  }

  function show(text: string | null): void {
    if (text === shown) return;
    shown = text;
    onWaiting(text);
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
    if (inFlight > 0 || loading) return;
    const isSent = retries.size === 0 && !hasFresh();
    if (isSent && !stopped) settleModels();
    if (stopped || (isSent && models.size === 0)) end();
  }

  function end(): void {
    if (over) return;
    over = true;
    cancelWait();
    queue.remove();
    const written = answers.drained();
    (failure === null ? written : written.then(() => Promise.reject(failure))).then(resolve, reject);
  }

  function settleModels(): void {
    try {
      models.settle();
    } catch (error) {
      failure ??= error;
      stopped = true;
    }
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
    takePeak() {
      const most = peak;
      peak = inFlight;
      return most;
    },
    suspend: stop,
    cancel: stop,
    abort(reason) {
      stopped = true;
      end();
      abortion.abort(new Error(reason));
    },
  };
}

function toFailure({ statusCode, headers, mayBeItsOwn = false }: EngineError): CallFailure {
  return { statusCode, mayBeItsOwn, retryAfter: Number(headers?.["retry-after"] ?? 0) * 1_000 };
}

/** Whether the server has answered one of the lines; answers taken from other batches tell nothing of it. */
function hasAnswers({ total, hasAnswer, answer }: RunDeps["index"]): boolean {
  for (let line = 1; line <= total; line++) if (hasAnswer(line) && answer(line)?.reused !== true) return true;
  return false;
}

const modelIn = (body: EndpointCall["body"]) => asText(body.model) ?? "";

function modelOf(text: string): string {
  return asText(asObject(asObject(parseJson(text)).body).model) ?? "";
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

/** A moment of today or another day, to the minute, as the computer's clock shows it. */
function describeMoment(moment: number): string {
  const at = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
