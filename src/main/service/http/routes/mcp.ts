import type { FastifyReply, FastifyRequest } from "fastify";
import { mcpEnabledSchema, mcpStatusSchema } from "#contract";
import type { Service } from "../../types.ts";
import type { HttpApp } from "../app.ts";
import { ignoreBodies } from "../ignore-bodies.ts";
import { answers } from "../schemas.ts";

/** `/v1/mcp/…`, with the main key: whether the MCP endpoint is open, and its token. */
export function addMcpManagementRoutes(app: HttpApp, { mcp }: Service): void {
  app.get("/v1/mcp/status", { schema: { response: answers(mcpStatusSchema) } }, async (request, reply) => {
    const { enabled, token } = await mcp.state();
    send(reply, enabled ? { enabled, url: readUrl(request), apiKey: token ?? "" } : closed);
  });

  app.register((bodiless: HttpApp, _options, registered) => {
    ignoreBodies(bodiless);
    bodiless.post("/v1/mcp/enable", { schema: { response: answers(mcpEnabledSchema) } }, async (request, reply) => {
      send(reply, { enabled: true, url: readUrl(request), token: await mcp.enable() });
    });
    bodiless.post("/v1/mcp/disable", { schema: { response: answers(mcpStatusSchema) } }, async (_request, reply) => {
      await mcp.disable();
      send(reply, closed);
    });
    registered();
  });
}

const closed = { enabled: false, url: "", apiKey: "" };

function send(reply: FastifyReply, body: object): void {
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
