import type { FastifyReply, FastifyRequest, onResponseHookHandler, onSendHookHandler } from "fastify";
import { z } from "zod";
import { countSchema, loggedRequestSchema } from "#contract";
import { quote, ServiceError } from "#main/base";
import { createCallFilter, matchSchema } from "#main/engines";
import type { Service } from "#main/service";
import { diskFailureCodes } from "#main/storage";
import { isPreflight } from "../cors.ts";
import { addBodiless, type HttpApp } from "../http-app.ts";
import type { Metrics, ObserveAnswer } from "../metrics.ts";
import type { EndState, OpenEntry, RequestFilter, RequestLog } from "../request-log.ts";
import { answers, answersOf, listOf, listQuery } from "../schemas.ts";
import { isApiPath } from "../vendor.ts";
import { toPage } from "../wire.ts";

/** Of one page. */
const mostListed = 1_000;
const statusSchema = z.string().regex(/^[1-5](\d\d|xx)$/i, "Expected a status such as '404', or '4xx'.");
const requestListQuery = listQuery({ most: mostListed, default: 100 }).extend({
  path: z.string().optional(),
  method: z.string().optional(),
  status: statusSchema.optional(),
  request_id: z.string().optional(),
});
/** Conditions of a rule's match, with those that only a logged request can meet. */
const whereSchema = matchSchema
  .safeExtend({
    path: z.string().optional().describe("What the path begins with."),
    method: z.string().optional(),
    status: z.union([z.int().min(100).max(599).transform(String), statusSchema]).optional(),
  })
  .describe("All of these must hold, as in the match of a rule; without any, all requests are found.");
const searchSchema = z.strictObject({
  where: whereSchema.default({}),
  limit: z.int().min(0).max(mostListed).default(100),
  after: z.string().optional(),
});
/** `unread`: how many requests no condition can find, since their bodies were dropped. */
const foundSchema = listOf(loggedRequestSchema).extend({ unread: countSchema });
const clearedSchema = z.object({ object: z.literal("list"), deleted: z.literal(true) });

/** What the server was asked (`/sheaf/requests`), and how it fares (`/metrics`). */
export function addObserveRoutes(app: HttpApp, { log, metrics }: { log: RequestLog; metrics: Metrics }): void {
  const response = answers(listOf(loggedRequestSchema));
  function list(filter: RequestFilter, page: { limit: number; after?: string | undefined }) {
    const found = log.list(filter, page);
    if (found !== null) return { page: toPage(found.requests, found.hasMore), unread: found.unread };
    throw new ServiceError("not_found", `No request with the id ${quote(page.after ?? "")}.`, "after");
  }

  app.get("/sheaf/requests", { schema: { querystring: requestListQuery, response } }, ({ query, scope }, reply) => {
    reply.send(list({ ...query, scope: scope.name }, query).page);
  });

  app.post(
    "/sheaf/requests/search",
    { schema: { body: searchSchema, response: answers(foundSchema) } },
    ({ body, scope }, reply) => {
      const { path, method, status, ...match } = body.where;
      const meets = Object.keys(match).length === 0 ? undefined : createCallFilter(match);
      const { page, unread } = list({ path, method, status, meets, scope: scope.name }, body);
      reply.send({ ...page, unread: meets === undefined ? 0 : unread });
    },
  );

  addBodiless(app, (clearing) => {
    clearing.delete("/sheaf/requests", { schema: { response: answers(clearedSchema) } }, ({ scope }, reply) => {
      log.clear(scope.name);
      reply.send({ object: "list", deleted: true });
    });
  });

  app.get("/metrics", { schema: { response: answersOf("text/plain", "The figures.") } }, (_request, reply) => {
    reply.type(metrics.contentType).send(metrics.read());
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** Its entry in the log; null where it has none, or has ended. */
    entry: OpenEntry | null;
    /** Whether its end has been counted. */
    isCounted: boolean;
  }
}

/**
 * Counts all requests of the app, and logs those to the vendors' APIs and to paths that nothing is at. Each has its entry when
 * it comes, before anything may refuse it, and ends once: with its answer, or with its connection.
 * @returns what begins the entry of a request that no hook sees
 */
export function observeRequests(
  app: HttpApp,
  { log, metrics }: { log: RequestLog; metrics: Metrics },
): (request: FastifyRequest, reply: FastifyReply) => void {
  const countMiss = metrics.forRoute(null);
  app.decorateRequest("entry", null);
  app.decorateRequest("isCounted", false);

  function end(request: FastifyRequest, reply: FastifyReply, count: ObserveAnswer, state: EndState): void {
    if (request.isCounted) return;
    request.isCounted = true;
    if (isMissedPreflight(request)) {
      if (state === "completed" && reply.statusCode < 400) return;
      request.entry = log.add(request, reply);
    }
    count(request.method, state === "completed" ? reply.statusCode : state, reply.elapsedTime);
    request.entry?.end(state);
    request.entry = null;
  }

  /** Begins the entry of a request. Where its connection ends before its answer, no hook of the framework runs. */
  function observe(request: FastifyRequest, reply: FastifyReply): void {
    const isLogged = request.is404 ? !isMissedPreflight(request) : isApiPath(request.url);
    if (isLogged) request.entry = log.add(request, reply);
    const onClose = () => {
      if (request.isCounted) return;
      const count = request.is404 ? countMiss : metrics.forRoute(request.routeOptions.url ?? null);
      end(request, reply, count, findEnd(request, reply));
    };
    // A client may have left while its route was added.
    if (reply.raw.closed) onClose();
    else reply.raw.once("close", onClose);
  }

  const keepAnswer: onSendHookHandler = (request, _reply, payload, done) => {
    request.entry?.keepAnswer(payload);
    done();
  };

  app.addHook("onRequest", (request, reply, done) => {
    observe(request, reply);
    done();
  });
  // Each route has a hook of its own: to ask a request which route it is on costs more than the counting.
  app.addHook("onRoute", (route) => {
    const count = metrics.forRoute(route.url);
    const onResponse: onResponseHookHandler = (request, reply, done) => {
      end(request, reply, count, "completed");
      done();
    };
    route.onResponse = [onResponse, ...[route.onResponse ?? []].flat()];
    if (isApiPath(route.url)) route.onSend = [...[route.onSend ?? []].flat(), keepAnswer];
  });
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (request.is404) request.entry?.keepAnswer(payload);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (request.is404) end(request, reply, countMiss, "completed");
    done();
  });
  return observe;
}

/** Whether a browser asks what its page may do: only where that is refused, it is a request like others. */
function isMissedPreflight(request: FastifyRequest): boolean {
  return request.is404 && isPreflight(request);
}

/** How a request ended whose connection has closed: a client that leaves ends its side of it first. */
function findEnd({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): EndState {
  if (raw.writableFinished) return "completed";
  return socket.readableEnded || socket.errored !== null ? "aborted" : "dropped";
}

const healthSchema = z.object({
  /** `degraded`: it answers, but something in its data folder is not as it should be. */
  status: z.enum(["ok", "degraded"]),
  /** What is not; the disk's failures pass by themselves. */
  codes: z.array(z.enum([...diskFailureCodes, "data_damaged"])).optional(),
  notices: z.array(z.object({ code: z.string(), count: countSchema })).optional(),
});

/** `GET /health`: whether the server answers, and by code and count what its user should know. Needs no key. */
export function addHealthRoute(app: HttpApp, { notices, readHealth }: Pick<Service, "notices" | "readHealth">): void {
  app.get("/health", { schema: { response: answers(healthSchema) } }, (_request, reply) => {
    const found = notices.list().map(({ code, count }) => ({ code, count }));
    const codes = [...readHealth()];
    reply.send({
      status: codes.length > 0 ? "degraded" : "ok",
      ...(codes.length > 0 && { codes }),
      ...(found.length > 0 && { notices: found }),
    });
  });
}
