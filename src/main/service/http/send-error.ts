import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "../ports.ts";
import { errorHeaders, toErrorBody, toFaultBody, toServiceError } from "./errors.ts";

/** How long the rest of a body is taken after its request has been refused, so that the client gets to read the answer. */
const drainTimeout = 5_000;

/** Answers a request that failed: with what the caller can mend, or, for a fault of ours, with where the log has it. */
export function createErrorSender(logger: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header("x-request-id", request.id);
    drain(request.raw);
    const known = toServiceError(error);
    if (known !== null) {
      reply.code(known.status).headers(errorHeaders(known)).send(toErrorBody(known));
      return;
    }
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logger.error("request failed", { requestId: request.id, method: request.method, error: details });
    reply.code(500).send(toFaultBody(request.id));
  };
}

/** Takes what is left of a body that nobody reads, for a while. */
export function drain(request: IncomingMessage): void {
  const { headers } = request;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (!hasBody || request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.destroy(), drainTimeout);
  request.once("close", () => clearTimeout(timer));
}
