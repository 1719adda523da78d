import { isAnswered, isOverLimit } from "#main/answers";
import { asObject, type Engine, type EngineCall, type EngineError, type EngineReply } from "#main/base";
import { passingStatuses } from "#main/engines";
import {
  ConnectionError,
  type ConnectionErrorCode,
  describeErrorStatus,
  describeNetworkError,
  type MissingKey,
} from "../adapters/connection-error.ts";

/** What is said of a server that can't answer. */
interface ChatServer {
  readonly name: string;
  readonly missingKey: MissingKey | null;
  /** Its address with the `/v1` that it lacks; null where it has one. */
  readonly versionedUrl: string | null;
}

/**
 * An engine that distinguishes a server that can't answer, whose requests wait and are sent again, from a request that fails, which is a
 * failed line. Where either may be the cause the reply has both, and who sends the lines decides by how the others fare. What came with
 * success may have been paid and is never a reason to retry: while no answer of the connection could be read and none has usage, its
 * requests wait, and else they failed.
 */
export function markServerFailures(engine: Engine, about: ChatServer): Engine {
  const { name } = about;
  /** Whether the server has sent something of this API, or counted tokens. */
  let isApi = false;

  function judge(call: EngineCall, reply: EngineReply): EngineReply {
    if (!isError(reply)) {
      isApi = true;
      return reply;
    }
    if (reply.unread?.isPaid === true) isApi = true;
    if (reply.isSettled === true) {
      const isStrange = reply.unread !== undefined && !isApi && call.line !== null;
      return isStrange ? hold(reply, new ConnectionError("not_the_api", name)) : reply;
    }
    const error = readServerFailure(reply, about);
    if (error === null) return noteModel(reply, name);
    // A call without a line is not of a batch: it is answered once, so the cause is decided now.
    if (call.line === null) return maybeOfAnyCall.has(error.code) ? reply : withReason(reply, error);
    return { ...withReason(reply, error), mayBeItsOwn: mayBeItsOwn(reply, error) };
  }

  return {
    ...engine,
    complete: async (call) => judge(call, await engine.complete(call)),
  };
}

function isError(reply: EngineReply): reply is EngineError {
  return !isAnswered(reply);
}

function withReason(reply: EngineError, { message, nextStep }: ConnectionError): EngineError {
  return { ...reply, unavailable: `${message} ${nextStep}` };
}

/** The failure of a request whose model the server doesn't have: others for it would fail, too. */
function noteModel(reply: EngineError, name: string): EngineError {
  const { code, message } = describeReply(reply, name);
  return code === "model_unknown" ? { ...reply, unknownModel: `${message} ${stepToModel}` } : reply;
}

const stepToModel =
  "Add the model there, or give its name there in Settings → Connections (Names of models): then these requests are sent.";

function describeReply(
  { statusCode, body: { error } }: EngineError,
  name: string,
  missingKey: MissingKey | null = null,
) {
  return describeErrorStatus(statusCode, JSON.stringify({ error }), name, null, missingKey);
}

/** It may have been paid: its user decides whether it is sent again. */
function hold(reply: EngineError, error: ConnectionError): EngineError {
  const { unavailable } = withReason(reply, error);
  const note =
    "Requests that were already sent wait, and may be billed. To send them again, try again now, or retry the batch later.";
  return { ...reply, unavailable: `${unavailable} ${note}`, isHeld: true };
}

/** The failure of the server; null where the failure is the request's. */
function readServerFailure(reply: EngineError, { name, missingKey, versionedUrl }: ChatServer): ConnectionError | null {
  const {
    statusCode,
    body: { error },
    cause,
  } = reply;
  if (cause !== undefined) return describeNetworkError(cause, name);
  if (error.code === "upstream_invalid_answer") {
    return new ConnectionError("not_the_api", name, { details: error.message });
  }
  const described = describeReply(reply, name, missingKey);
  if (statusCode === 429 && isOverLimit({ message: error.message, more: asObject(error) })) return null;
  // A missing path is no fault of the request.
  if (described.code === "refused" && (statusCode === 404 || statusCode === 405)) {
    return new ConnectionError("not_the_api", name, { details: error.message, suggestedUrl: versionedUrl });
  }
  const isPassing = described.code === "refused" && passingStatuses.has(statusCode);
  return isPassing || serverFailures.has(described.code) ? described : null;
}

/** Whether a single request can cause the failure: no other would have met it. */
function mayBeItsOwn({ cause, body }: EngineError, { code, hasNoEffect }: ConnectionError): boolean {
  if (cause !== undefined) return !hasNoEffect && ofOneCall.has(code);
  return code !== "proxy" && code !== "key_missing" && body.error.code !== "insufficient_quota";
}

/** The failures of the network that a single request can cause. */
const ofOneCall: ReadonlySet<ConnectionErrorCode> = new Set(["timed_out", "unreachable", "failed", "not_the_api"]);

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
