import type { Engine, EngineCall, EngineError, EngineReply } from "#service";
import { describeErrorStatus } from "./connection-error.ts";

/** Lines whose failures are remembered, so that a server that is down for days takes no more memory. */
const mostRemembered = 10_000;

/**
 * An engine of a connection that tells a server which can't answer from a request that fails: the first waits and is asked
 * again, only the second is a failed line. A server's error (5xx) is the request's own when it comes twice, and others were
 * answered meanwhile.
 */
export function createChatEngine(engine: Engine, name: string): Engine {
  let answered = 0;
  /** Of lines at which the server failed: how many requests had been answered when each was first sent. */
  const failures = new Map<string, number>();

  function judge(call: EngineCall, reply: EngineReply, answeredBefore: number): EngineReply {
    if (!isError(reply)) {
      answered += 1;
      return reply;
    }
    const reason = explainServer(reply, name);
    if (reason !== null) return { ...reply, unavailable: reason };
    if (reply.statusCode < 500 || call.line === null) return reply;
    const key = `${call.line.batchId} ${call.line.number}`;
    const before = failures.get(key);
    if (before !== undefined && answered > before) {
      failures.delete(key);
      return reply;
    }
    if (failures.size >= mostRemembered) failures.clear();
    failures.set(key, before ?? answeredBefore);
    return { ...reply, unavailable: `${name} has a failure of its own. It is tried again.` };
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

/** Codes of the upstream engine for a server that could not be asked at all, or is none of this API. */
const notAsked = new Set(["upstream_unreachable", "upstream_invalid_answer"]);

/** Why no request could be answered now, whatever it is; null where the failure may be this one's. */
function explainServer({ statusCode, body: { error } }: EngineError, name: string): string | null {
  if (notAsked.has(error.code ?? "")) return `${error.message} It is tried again.`;
  const { code, message, nextStep } = describeErrorStatus(statusCode, JSON.stringify(error), name, null);
  const isServers = code === "key_refused" || code === "no_credit" || code === "proxy" || code === "rate_limited";
  return isServers || statusCode === 503 || statusCode === 529 ? `${message} ${nextStep}` : null;
}
