import type { FastifyReply, FastifyRequest, onResponseHookHandler } from "fastify";
import type { Service } from "../../types.ts";
import type { HttpApp } from "../app.ts";
import { createMask } from "./mask.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";

/** Counts all requests of the app, and keeps the last ones to `/v1` and to paths that nothing is at. */
export function observeRequests(
  app: HttpApp,
  { batches, clock }: Service,
  readKey: () => string,
): { log: RequestLog; metrics: Metrics } {
  const log = createRequestLog(
    clock,
    createMask(() => [readKey()]),
  );
  const metrics = createMetrics(batches);

  function observe(url: string | null): (request: FastifyRequest, reply: FastifyReply) => void {
    const count = metrics.forRoute(url);
    const isLogged = url === null || url.startsWith("/v1/");
    return (request, reply) => {
      count(request.method, reply.statusCode, reply.elapsedTime);
      if (isLogged) log.add(request, reply);
    };
  }

  // Each route has a hook of its own: to ask a request which route it is on costs more than the counting.
  app.addHook("onRoute", (route) => {
    const observeRoute = observe(route.url);
    const onResponse: onResponseHookHandler = (request, reply, done) => {
      observeRoute(request, reply);
      done();
    };
    route.onResponse = [onResponse, ...[route.onResponse ?? []].flat()];
  });
  const observeMiss = observe(null);
  app.addHook("onResponse", (request, reply, done) => {
    if (request.is404) observeMiss(request, reply);
    done();
  });
  return { log, metrics };
}
