import type { FastifyReply, FastifyRequest } from "fastify";
import { createOriginCheck } from "./auth.ts";
import type { HttpApp } from "./http-app.ts";
import { isApiPath } from "./vendor.ts";

interface PageOptions {
  /** Origins of pages that may call the API and read its answers; `*` for all. */
  readonly origins: readonly string[];
  /** Names of this machine, whose pages are its user's own. */
  readonly hosts: readonly string[];
  /** Whether requests need a key, which no page of a stranger has. */
  readonly needsKey: boolean;
}

/** What a page may do with the API, whatever it asks for. */
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const exposedHeaders = [
  "x-request-id",
  "request-id",
  "retry-after",
  "x-ratelimit-limit-requests",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-reset-requests",
  "x-goog-upload-url",
  "x-goog-upload-status",
].join(", ");
/** Seconds that a browser need not ask again. */
const maxAge = "600";

/**
 * Lets pages of some origins call `/v1` and the other vendors' paths (CORS). `/sheaf` and MCP are never open to them. Where no
 * key is asked for, requests of any other site are refused: a page can send some of them without asking the server first, even where it may not read the answer.
 */
export function admitPages(app: HttpApp, { origins, hosts, needsKey }: PageOptions): void {
  if (origins.length === 0 && needsKey) return;
  const allowed = new Set(origins);
  const isAnyAllowed = allowed.has("*");
  const checkOrigin = needsKey ? () => undefined : createOriginCheck(hosts);

  app.addHook("onRequest", (request, reply, done) => {
    const { origin, host } = request.headers;
    if (origin === undefined) return done();
    if (!isOpenToPages(request.url) || !(isAnyAllowed || allowed.has(origin))) {
      checkOrigin(origin, host);
      return done();
    }
    reply.header("access-control-allow-origin", isAnyAllowed ? "*" : origin);
    if (!isAnyAllowed) reply.header("vary", "origin");
    reply.header("access-control-expose-headers", exposedHeaders);
    if (isPreflight(request)) answerPreflight(request, reply);
    else done();
  });
}

export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  const asked = headers["access-control-request-headers"];
  if (asked !== undefined) reply.header("access-control-allow-headers", asked);
  if (headers["access-control-request-private-network"] !== undefined) {
    reply.header("access-control-allow-private-network", "true");
  }
  reply.header("access-control-allow-methods", methods).header("access-control-max-age", maxAge).code(204).send();
}

const closedPath = /^\/v1\/mcp(\/|$)/;

/** By the path as the router reads it: an escaped letter opens nothing. */
function isOpenToPages(url: string): boolean {
  const [path = ""] = url.split("?");
  try {
    const decoded = decodeURIComponent(path);
    return isApiPath(decoded) && !closedPath.test(decoded);
  } catch {
    return false;
  }
}
