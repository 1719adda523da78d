import { isAnswered } from "#main/answers";
import type { Engine, EngineCall, EngineError, EngineReply } from "#main/base";
import {
  ConnectionError,
  type ConnectionErrorCode,
  describeErrorStatus,
  describeNetworkError,
  type MissingKey,
} from "./adapters/connection-error.ts";

/** The most lines whose failures are stored, so that memory is bounded while a server is down for days. */
const mostRemembered = 10_000;
/** After so many failures of a line, the next is its own when it is the only line that fails. */
const failuresOfLonely = 2;

/** A line at which the server failed, and how many requests had been answered by then. */
interface Failing {
  readonly times: number;
  readonly answeredBefore: number;
  readonly answeredAtFailure: number;
}

/**
 * An engine that distinguishes a server that can't answer, whose requests wait and are retried, from a request that fails,
 * which is a failed line. A server's error (5xx, 403) counts as the request's own when it comes twice and others were answered in
 * between; or several times, when all others were answered. What came with success may have been paid and is never a reason to
 * retry: while no answer of the connection could be read and none has usage, its requests wait, and else they failed.
 */
export function createChatEngine(engine: Engine, name: string, missingKey: MissingKey | null): Engine {
  let answered = 0;
  /** Whether the server has sent something of this API, or counted tokens. */
  let isApi = false;
  const failures = new Map<string, Failing>();

  function judge(call: EngineCall, reply: EngineReply, answeredBefore: number): EngineReply {
    const key = `${call.line?.batchId} ${call.line?.number}`;
    if (!isError(reply)) {
      answered += 1;
      isApi = true;
      failures.delete(key);
      return reply;
    }
    if (reply.unread?.isPaid === true) isApi = true;
    if (reply.isSettled === true) {
      failures.delete(key);
      const isStrange = reply.unread !== undefined && !isApi && call.line !== null;
      return isStrange ? hold(reply, new ConnectionError("not_the_api", name)) : reply;
    }
    const error = readServerFailure(reply, name, missingKey);
    if (error === null) return reply;
    // A call without a line is not of a batch: it is answered once, so the cause is decided now.
    if (call.line === null) return maybeOfAnyCall.has(error.code) ? reply : withReason(reply, error);
    if (!mayBeItsOwn.has(error.code) && !isForbidden(reply, error)) return withReason(reply, error);
    const before = failures.get(key);
    const isOwn = before !== undefined && isItsOwn(before);
    if (isOwn) {
      failures.delete(key);
      return reply;
    }
    if (failures.size >= mostRemembered) failures.clear();
    const first = before ?? { times: 0, answeredBefore, answeredAtFailure: answered };
    failures.set(key, { ...first, times: first.times + 1 });
    return withReason(reply, error);
  }

  function isItsOwn({ times, answeredBefore, answeredAtFailure }: Failing): boolean {
    if (answered > answeredAtFailure) return true;
    return times >= failuresOfLonely && failures.size === 1 && answered > answeredBefore;
  }

  return {
    ...engine,
    async complete(call) {
      const answeredBefore = answered;
      return judge(call, await engine.complete(call), answeredBefore);
    },
  };
}

function isError(reply: EngineReply): reply is EngineError {
  return !isAnswered(reply);
}

function withReason(reply: EngineError, { message, nextStep }: ConnectionError): EngineError {
  return { ...reply, unavailable: `${message} ${nextStep}` };
}

/** It may have been paid: its user decides whether it is sent again. */
function hold(reply: EngineError, error: ConnectionError): EngineError {
  const { unavailable } = withReason(reply, error);
  const note = "Requests that were sent wait with the text that came back. Try again now sends them again.";
  return { ...reply, unavailable: `${unavailable} ${note}`, isHeld: true };
}

/** The failure of the server; null where the failure is the request's. */
function readServerFailure(
  { statusCode, body: { error }, cause }: EngineError,
  name: string,
  missingKey: MissingKey | null,
): ConnectionError | null {
  if (cause !== undefined) return describeNetworkError(cause, name);
  if (error.code === "upstream_invalid_answer") {
    return new ConnectionError("not_the_api", name, { details: error.message });
  }
  const described = describeErrorStatus(statusCode, JSON.stringify(error), name, null, missingKey);
  // A missing path is no fault of the request.
  if (described.code === "refused" && (statusCode === 404 || statusCode === 405)) {
    return new ConnectionError("not_the_api", name, { details: error.message });
  }
  return serverFailures.has(described.code) ? described : null;
}

/** The failures of a server that a single request can cause. */
const mayBeItsOwn: ReadonlySet<ConnectionErrorCode> = new Set([
  "service_down",
  "timed_out",
  "unreachable",
  "failed",
  "not_the_api",
]);

/** A key that is refused, or a request: services answer with 403 for a prompt that their moderation flags, too. */
const isForbidden = ({ statusCode }: EngineReply, { code }: ConnectionError) =>
  code === "key_refused" && statusCode === 403;

/** The failures that a call without a line may have caused. */
const maybeOfAnyCall: ReadonlySet<ConnectionErrorCode> = new Set(["service_down", "not_the_api"]);

/** The statuses that no request causes. */
const serverFailures: ReadonlySet<ConnectionErrorCode> = new Set([
  "key_refused",
  "key_missing",
  "no_credit",
  "proxy",
  "rate_limited",
  "queue_full",
  "service_down",
  "timed_out",
]);
