import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { McpAnswer } from "#contract";
import { ServiceError } from "../../errors.ts";
import { createMcpEndpoint, type McpExchange } from "../../mcp/index.ts";
import type { Service } from "../../types.ts";
import type { Verifier } from "../../verify/index.ts";
import type { HttpApp } from "../app.ts";
import { createTokenCheck } from "../auth.ts";
import { toServiceError } from "../errors.ts";
import { answersOfMcp } from "../mcp-answers.ts";
import { createOriginCheck } from "../origins.ts";
import { createErrorSender } from "../send-error.ts";

const path = "/v1/mcp";
const otherMethods = ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Room for a prompt, a response and a document of the greatest length, in most scripts. */
const bodyLimit = 16_000_000;

interface McpRouteOptions {
  readonly verifier: Verifier;
  readonly hosts: readonly string[];
}

/** `POST /v1/mcp`, with the MCP token: the protocol itself. What is wrong before a message is read is an HTTP error. */
export function addMcpEndpoint(app: HttpApp, service: Service, { verifier, hosts }: McpRouteOptions): void {
  const { mcp, logger } = service;
  const checkOrigin = createOriginCheck(hosts);
  const checkToken = createTokenCheck(mcp);
  const sendError = createErrorSender(logger);
  const endpoint = createMcpEndpoint({ verifier, logger });

  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", async ({ method, headers }, reply) => {
    checkOrigin(headers.origin, headers.host);
    await checkToken(headers.authorization);
    if (method !== "POST") refuseMethod(method, reply);
    checkAccept(headers.accept);
  });
  const forget = mcp.subscribe(endpoint.prepare);
  app.addHook("preClose", (done) => {
    forget();
    endpoint.close();
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const known = toServiceError(error);
    if (known?.code === "invalid_json") reply.code(400).send(notJson);
    else sendError(error, request, reply);
  });

  app.post(path, { bodyLimit, schema: { response: answersOfMcp } }, async (request, reply) => {
    if (request.body === undefined) return reply.code(400).send(notJson);
    const exchange = toExchange(request, reply);
    const answer = await endpoint.answer(exchange);
    // Nobody is there to read an answer.
    if (exchange.over.aborted) return reply.hijack();
    if (answer.status >= 500) logger.error("mcp message not answered", { requestId: request.id });
    return send(reply, answer);
  });
  // Refused by the hook: there are no sessions, so there is nothing to listen to and nothing to end.
  app.route({ method: otherMethods, url: path, schema: { hide: true }, handler: () => undefined });
}

/** JSON-RPC 2.0, 5.1. */
const notJson: McpAnswer = {
  jsonrpc: "2.0",
  error: { code: -32_700, message: "Parse error: the body is not JSON." },
  id: null,
};

function refuseMethod(method: string, reply: FastifyReply): never {
  reply.header("allow", "POST");
  throw new ServiceError("method_not_allowed", `${method} is not allowed at '${path}'; it takes POST.`);
}

const acceptedTypes = ["application/json", "text/event-stream"];

/** Throws unless both types of answers are listed: which of them is sent depends on what there is to tell. */
function checkAccept(accept = ""): void {
  const listed = accept.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase());
  if (acceptedTypes.every((type) => listed.includes(type))) return;
  throw new ServiceError(
    "not_acceptable",
    "The answer may be JSON or a stream. Send the header 'Accept: application/json, text/event-stream'.",
  );
}

function toExchange({ headers, body, ip }: FastifyRequest, { raw }: FastifyReply): McpExchange {
  const passedOn = Object.entries(headers).filter(([name]) => name.startsWith("mcp-"));
  const over = new AbortController();
  if (raw.closed) over.abort();
  else raw.once("close", () => over.abort());
  return {
    headers: new Headers(passedOn.map(([name, value]) => [name, [value].flat().join(", ")])),
    body,
    client: `${ip} ${headers["user-agent"]}`,
    over: over.signal,
  };
}

async function send(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const { status, headers, body } = answer;
  for (const name of ["content-type", "cache-control", "x-accel-buffering"]) {
    const value = headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  reply.code(status);
  if (body === null) return reply.send();
  return reply.send(
    headers.get("content-type") === "text/event-stream"
      ? Readable.from(body, { objectMode: false })
      : await answer.text(),
  );
}
