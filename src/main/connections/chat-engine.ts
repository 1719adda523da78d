import { answerTooLarge, type Engine, type EngineCall, type EngineError, type EngineReply } from "#service";
import {
  ConnectionError,
  type ConnectionErrorCode,
  describeErrorStatus,
  describeNetworkError,
  type MissingKey,
} from "./adapters/connection-error.ts";

/** Lines whose failures are remembered, so that a server that is down for days takes no more memory. */
const mostRemembered = 10_000;
/** After so many failures, the next one of a line is its own when it is the only one that fails. */
const failuresOfLonely = 2;

/** A line at which the server failed, and how many requests had been answered by then. */
interface Failing {
  readonly times: number;
  readonly answeredBefore: number;
  readonly answeredAtFailure: number;
}

/**
 * An engine of a connection that tells a server which can't answer from a request that fails: the first waits and is asked
 * again, only the second is a failed line. A server's error (5xx) is the request's own when it comes twice, and others were
 * answered in between; or again and again, when all others were answered.
 */
export function createChatEngine(engine: Engine, name: string, missingKey: MissingKey | null): Engine {
  let answered = 0;
  const failures = new Map<string, Failing>();

  function judge(call: EngineCall, reply: EngineReply, answeredBefore: number): EngineReply {
    const key = `${call.line?.batchId} ${call.line?.number}`;
    if (!isError(reply)) {
      answered += 1;
      failures.delete(key);
      return reply;
    }
    const error = readServerFailure(reply, name, missingKey);
    if (error === null) return reply;
    // Whoever asks without a line is no batch, and can't be told later whose failure it was.
    if (call.line === null) return maybeOfAnyCall.has(error.code) ? reply : withReason(reply, error);
    if (!mayBeItsOwn.has(error.code)) return withReason(reply, error);
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
  return "error" in reply.body;
}

function withReason(reply: EngineError, { message, nextStep }: ConnectionError): EngineError {
  return { ...reply, unavailable: `${message} ${nextStep}` };
}

/** What was amiss with the server; null where the failure is the request's. */
function readServerFailure(
  { statusCode, body: { error }, cause }: EngineError,
  name: string,
  missingKey: MissingKey | null,
): ConnectionError | null {
  if (cause !== undefined) return describeNetworkError(cause, name);
  if (error.code === answerTooLarge) return null;
  if (error.code === "upstream_invalid_answer") {
    return new ConnectionError("not_the_api", name, { details: error.message });
  }
  const described = describeErrorStatus(statusCode, JSON.stringify(error), name, null, missingKey);
  // A path that is not there says nothing of the request.
  if (described.code === "refused" && (statusCode === 404 || statusCode === 405)) {
    return new ConnectionError("not_the_api", name, { details: error.message });
  }
  return serverFailures.has(described.code) ? described : null;
}

/** What a single request can bring a server to. */
const mayBeItsOwn: ReadonlySet<ConnectionErrorCode> = new Set([
  "service_down",
  "timed_out",
  "unreachable",
  "not_the_api",
]);

/** What a call without a line may have brought about. */
const maybeOfAnyCall: ReadonlySet<ConnectionErrorCode> = new Set(["service_down", "not_the_api"]);

/** What no request is to blame for by its status. */
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
