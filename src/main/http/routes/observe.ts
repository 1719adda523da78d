import type { FastifyReply, FastifyRequest, onResponseHookHandler, onSendHookHandler } from "fastify";
import { z } from "zod";
import { countSchema, loggedRequestSchema } from "#contract";
import { quote, ServiceError } from "#main/base";
import type { Service } from "#main/service";
import { diskFailureCodes } from "#main/storage";
import { type HttpApp, ignoreBodies } from "../http-app.ts";
import { createMetrics, type Metrics } from "../metrics.ts";
import type { RequestLog } from "../request-log.ts";
import { answers, answersOf, listOf, listQuery } from "../schemas.ts";
import { isApiPath } from "../vendor.ts";
import { toPage } from "../wire.ts";

const requestListQuery = listQuery({ most: 1_000, default: 100 }).extend({
  path: z.string().optional(),
  method: z.string().optional(),
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/i, "Expected a status such as '404', or '4xx'.")
    .optional(),
  request_id: z.string().optional(),
});
const clearedSchema = z.object({ object: z.literal("list"), deleted: z.literal(true) });

/** What the server was asked (`/sheaf/requests`), and how it fares (`/metrics`). */
export function addObserveRoutes(app: HttpApp, { log, metrics }: { log: RequestLog; metrics: Metrics }): void {
  app.get(
    "/sheaf/requests",
    { schema: { querystring: requestListQuery, response: answers(listOf(loggedRequestSchema)) } },
    ({ query, scope }, reply) => {
      const page = log.list({ ...query, scope: scope.name }, query);
      if (page === null) {
        throw new ServiceError("not_found", `No request with the id ${quote(query.after ?? "")}.`, "after");
      }
      reply.send(toPage(page.requests, page.hasMore));
    },
  );

  app.register((clearing: HttpApp, _options, registered) => {
    ignoreBodies(clearing);
    clearing.delete("/sheaf/requests", { schema: { response: answers(clearedSchema) } }, ({ scope }, reply) => {
      log.clear(scope.name);
      reply.send({ object: "list", deleted: true });
    });
    registered();
  });

  app.get("/metrics", { schema: { response: answersOf("text/plain", "The figures.") } }, (_request, reply) => {
    reply.type(metrics.contentType).send(metrics.read());
  });
}

/** Counts all requests of the app, and keeps the last ones to `/v1` and to paths that nothing is at. */
export function observeRequests(
  app: HttpApp,
  { batches }: Service,
  log: RequestLog,
): { log: RequestLog; metrics: Metrics } {
  const metrics = createMetrics(batches);

  function observe(url: string | null): (request: FastifyRequest, reply: FastifyReply) => void {
    const count = metrics.forRoute(url);
    const isLogged = url === null || isApiPath(url);
    return (request, reply) => {
      count(request.method, reply.statusCode, reply.elapsedTime);
      if (isLogged) log.add(request, reply);
    };
  }

  const keepAnswer: onSendHookHandler = (request, _reply, payload, done) => {
    log.keepAnswer(request, payload);
    done();
  };

  // Each route has a hook of its own: to ask a request which route it is on costs more than the counting.
  app.addHook("onRoute", (route) => {
    const observeRoute = observe(route.url);
    const onResponse: onResponseHookHandler = (request, reply, done) => {
      observeRoute(request, reply);
      done();
    };
    route.onResponse = [onResponse, ...[route.onResponse ?? []].flat()];
    if (isApiPath(route.url)) route.onSend = [...[route.onSend ?? []].flat(), keepAnswer];
  });
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (request.is404) log.keepAnswer(request, payload);
    done();
  });
  const observeMiss = observe(null);
  app.addHook("onResponse", (request, reply, done) => {
    // What a browser asks beforehand (CORS) is no request of its page.
    if (request.is404 && reply.statusCode >= 400) observeMiss(request, reply);
    done();
  });
  return { log, metrics };
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
