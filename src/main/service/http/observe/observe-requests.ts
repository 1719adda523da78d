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
  app.addHook("onResponse", (request, reply, done) => {
    metrics.observe(request, reply);
    const { url } = request.routeOptions;
    if (url === undefined || url.startsWith("/v1/")) log.add(request, reply);
    done();
  });
  return { log, metrics };
}
