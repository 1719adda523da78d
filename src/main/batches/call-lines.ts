import { asObject, asText, type EndpointCall, type EndpointReply, type EngineError } from "#main/base";
import { createEndpointCaller } from "#main/engines";
import { describeDiskError, parseJson } from "#main/storage";
import { createCutPrompts } from "./cut-prompts.ts";
import type { CallFailure, LineRetries } from "./line-retries.ts";
import type { ModelPauses } from "./model-pauses.ts";
import type { RunDeps } from "./run-deps.ts";
import type { StartedCall } from "./server-health.ts";

/** A wait that is shorter is over before it has been read, in milliseconds. */
const shortestTold = 2_000;

interface CallDeps extends RunDeps {
  readonly retries: LineRetries;
  readonly models: ModelPauses;
  /** Ends all calls. */
  readonly signal: AbortSignal;
  readonly show: (text: string) => void;
  /** Called at the end of each call. */
  readonly onEnd: () => void;
}

interface Request {
  readonly customId: string;
  readonly body: EndpointCall["body"];
}

/** A request that was sent. */
interface SentRequest extends Request {
  readonly call: StartedCall;
  readonly requestId: string;
  readonly startedAt: number;
}

/**
 * Has lines answered; the result is null for one that was answered at once. A call is over when its answer is on disk, so that a process
 * that is killed has no more of them to ask again than there may be at a time.
 */
export type CallLine = (call: StartedCall, text: string, isSound: boolean) => Promise<void> | null;

export function createCalls(parts: CallDeps): CallLine {
  const { clock, ids, logger, batchId, endpoint, scope, metadata, answers, held, store, run, signal } = parts;
  const { retries, models, show, onEnd, onNotice, onTries } = parts;
  const { disk } = store;
  const caller = createEndpointCaller(endpoint, parts);
  /** The mock cuts no prompt. */
  const cutPrompts = parts.engine.isMock === true ? null : createCutPrompts();
  const isOver = () => run.state().phase === "over";

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

  function send({ call: { line }, customId, body, requestId }: SentRequest) {
    let isThrottled = false;
    const onWait = (milliseconds: number) => {
      if (isOver() || milliseconds < shortestTold) return;
      if (!isThrottled) run.send({ type: "throttled" });
      isThrottled = true;
      show(`The service asks to wait ${describeWait(milliseconds)}.`);
    };
    const about = { batchId, customId, number: line, metadata };
    const reply = answer({ endpoint, body, requestId, scope, line: about, signal, onWait });
    const letPass = () => {
      if (isThrottled) run.send({ type: "let_pass" });
    };
    return { reply, letPass };
  }

  /** Records what came, or has the line sent again. */
  function settle(request: SentRequest, given: EndpointReply | null): Promise<void> | undefined {
    if (isOver() || given === null) return undefined;
    const { call, customId, body, requestId, startedAt } = request;
    const { line } = call;
    if (given.statusCode === 200) run.send({ type: "read" });
    const milliseconds = clock.monotonic() - startedAt;
    const write = () => answers.append({ line, customId, requestId, reply: given, milliseconds });
    if ("unknownModel" in given && given.unknownModel !== undefined) {
      retries.settle(call);
      models.refuse(modelIn(body), line, given.unknownModel, write);
      return undefined;
    }
    const note = () => noteModel(line, body, given);
    if (!("unavailable" in given) || given.unavailable === undefined || (given.isHeld && run.state().hasRead)) {
      if (given.statusCode === 200) retries.succeed(call);
      else retries.settle(call);
      // First the answer, which may be paid: a full disk may refuse what is noted because of it.
      const writing = record(write);
      if (writing !== undefined) return writing.then(note);
      note();
      return undefined;
    }
    note();
    if (given.isHeld) {
      const reply = { statusCode: given.statusCode, body: given.body };
      retries.stop(call);
      run.send({ type: "met", reason: given.unavailable });
      return disk.retry(() => held.add({ line, customId, requestId, reply, milliseconds }), { signal });
    }
    if (retries.fail(call, toFailure(given)) === "fails") return record(write);
    run.send({ type: "met", reason: given.unavailable });
    onTries(retries.listTries());
    return undefined;
  }

  function noteModel(line: number, body: EndpointCall["body"], given: EndpointReply): void {
    if (given.statusCode === 200) {
      models.accept(modelIn(body));
      const notice = cutPrompts?.add(body, asObject(given.body)) ?? null;
      if (notice !== null) onNotice(notice);
    } else models.forget(line);
  }

  function record(write: () => void): Promise<void> | undefined {
    try {
      write();
    } catch (error) {
      if (describeDiskError(error) === null) throw error;
      // It may have been paid: it is not to be asked again.
      return disk.retry(write, { signal });
    }
    return undefined;
  }

  return (call, text, isSound) => {
    const { line } = call;
    const giveUp = (error: unknown) => {
      logger.error("An answer can't be recorded", { batch: batchId, line, error: String(error) });
      run.send({ type: "failed", error });
    };
    try {
      const requestId = ids.create("request");
      const request = isSound ? parseRequest(text) : null;
      if (request === null) {
        retries.settle(call);
        // It may have been the test of its model: another line is the test then.
        models.forget(line);
        answers.append({ line, customId: null, requestId, reply: describeDamaged(line), milliseconds: null });
      } else {
        const sent = { ...request, call, requestId, startedAt: clock.monotonic() };
        const { reply, letPass } = send(sent);
        const end = (given: EndpointReply | null) => {
          letPass();
          return settle(sent, given);
        };
        const writing = reply instanceof Promise ? reply.then(end) : end(reply);
        if (writing !== undefined) return writing.then(answers.drained).catch(giveUp).then(onEnd);
      }
    } catch (error) {
      giveUp(error);
    }
    onEnd();
    return null;
  };
}

function toFailure({ statusCode, headers, mayBeItsOwn = false }: EngineError): CallFailure {
  return { statusCode, mayBeItsOwn, retryAfter: Number(headers?.["retry-after"] ?? 0) * 1_000 };
}

const modelIn = (body: EndpointCall["body"]) => asText(body.model) ?? "";

/** The line has passed the check of the whole file: it is an object, or was damaged since. */
function parseRequest(text: string): Request | null {
  const request = parseJson(text) as
    | { readonly custom_id: string; readonly body: EndpointCall["body"] | null }
    | undefined;
  if (request === undefined || request.custom_id === null || request.body === null) return null;
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
