import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { errorBodySchema, type McpAnswer, mcpAnswerSchema, mcpEnabledSchema, mcpStatusSchema } from "#contract";
import { ServiceError } from "#main/base";
import type { Verifier } from "#main/judging";
import type { Service } from "#main/service";
import { createOriginCheck, createTokenCheck } from "../auth.ts";
import { createErrorSender, toServiceError } from "../errors.ts";
import { addBodiless, type HttpApp } from "../http-app.ts";
import { createMcpEndpoint } from "../mcp/endpoint.ts";
import type { McpExchange } from "../mcp/protocol.ts";
import { answers } from "../schemas.ts";

/** `/v1/mcp/…`, with the main key: whether the MCP endpoint is open, and its token. */
export function addMcpManagementRoutes(app: HttpApp, { mcp }: Service): void {
  app.get("/v1/mcp/status", { schema: { response: answers(mcpStatusSchema) } }, async (request, reply) => {
    const { enabled, token } = await mcp.state();
    sendState(reply, enabled ? { enabled, url: readUrl(request), apiKey: token ?? "" } : closed);
  });

  addBodiless(app, (bodiless) => {
    bodiless.post("/v1/mcp/enable", { schema: { response: answers(mcpEnabledSchema) } }, async (request, reply) => {
      sendState(reply, { enabled: true, url: readUrl(request), token: await mcp.enable() });
    });
    bodiless.post("/v1/mcp/disable", { schema: { response: answers(mcpStatusSchema) } }, async (_request, reply) => {
      await mcp.disable();
      sendState(reply, closed);
    });
  });
}

const closed = { enabled: false, url: "", apiKey: "" };

function sendState(reply: FastifyReply, body: object): void {
  reply.header("cache-control", "no-store").send(body);
}

/** Where the client reaches the endpoint: the address that it has just used. */
function readUrl({ host, raw: { socket } }: FastifyRequest): string {
  const used = `http://${host}`;
  const { localAddress = "127.0.0.1", localPort = 0, localFamily } = socket;
  const own = localFamily === "IPv6" ? `[${localAddress}]` : localAddress;
  const base = host !== "" && URL.canParse(used) ? used : `http://${own}:${localPort}`;
  return new URL("/v1/mcp", base).href;
}

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
  const sendError = createErrorSender(service);
  const endpoint = createMcpEndpoint({ verifier, logger });

  app.addHook("onRequest", async ({ method, headers }, reply) => {
    checkOrigin(headers.origin, headers.host);
    try {
      await checkToken(headers.authorization);
    } catch (error) {
      // RFC 6750, 3: clients show it to their user.
      const why =
        error instanceof Error ? error.message.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "'") : "";
      reply.header("www-authenticate", `Bearer error="invalid_token", error_description="${why}"`);
      throw error;
    }
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
    // No one is there to read an answer.
    if (exchange.over.aborted) return reply.hijack();
    if (answer.status >= 500) logger.error("mcp message not answered", { requestId: request.id });
    return sendAnswer(reply, answer);
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

/** Throws unless both types of answers are accepted: which of them is sent depends on what there is to tell. */
function checkAccept(accept = ""): void {
  const qualities = new Map(accept.split(",").map(readMediaRange));
  // Of the ranges that fit, the narrowest counts (RFC 9110, 12.5.1).
  const isAccepted = (type: string) => {
    const ranges = [type, type.replace(/\/.*/, "/*"), "*/*"];
    return (ranges.map((range) => qualities.get(range)).find((quality) => quality !== undefined) ?? 0) > 0;
  };
  if (acceptedTypes.every(isAccepted)) return;
  throw new ServiceError(
    "not_acceptable",
    "The answer may be JSON or a stream. Send the header 'Accept: application/json, text/event-stream'.",
  );
}

/** A range of types, and how much it is wanted: 0 is not at all. */
function readMediaRange(part: string): [range: string, quality: number] {
  const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [range, weight === undefined ? 1 : Number(weight.slice(2))];
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

async function sendAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
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

const events = { "text/event-stream": { schema: z.string() } };
const failure = z.union([mcpAnswerSchema, errorBodySchema]);

/** What `POST /v1/mcp` answers, for readers of the API description. */
const answersOfMcp = {
  200: {
    description: "The answer; as a stream where the client asked to hear of progress.",
    content: { "application/json": { schema: z.union([mcpAnswerSchema, z.array(mcpAnswerSchema)]) }, ...events },
  },
  202: z.null().describe("Taken note of: a notification."),
  "4XX": {
    description: "What is wrong with the message (JSON-RPC), or with the request around it.",
    content: { "application/json": { schema: failure } },
  },
  "5XX": {
    description: "A fault of the server. Its log has the details.",
    content: { "application/json": { schema: failure } },
  },
};
