import type { FastifyReply, FastifyRequest } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { batchStatuses } from "#contract";
import type { Batches } from "../../types.ts";

/** Upper bounds of the times that answers take, in seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What the server counts, for Prometheus. */
export interface Metrics {
  observe(request: FastifyRequest, reply: FastifyReply): void;
  readonly contentType: string;
  read(): Promise<string>;
}

export function createMetrics(batches: Batches): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "sheaf_http_requests_total",
    help: "Requests that were answered.",
    labelNames: ["method", "route", "status"] as const,
    registers,
  });
  const durations = new Histogram({
    name: "sheaf_http_request_duration_seconds",
    help: "Time from a request to the end of its answer.",
    labelNames: ["method", "route"] as const,
    buckets,
    registers,
  });
  const all = () => batches.list({ limit: Number.POSITIVE_INFINITY }).batches;
  new Gauge({
    name: "sheaf_batches",
    help: "Batches by status.",
    labelNames: ["status"] as const,
    registers,
    collect() {
      for (const status of batchStatuses) this.set({ status }, 0);
      for (const { status } of all()) this.inc({ status });
    },
  });
  new Gauge({
    name: "sheaf_batch_lines",
    help: "Lines of all batches: answered, failed, and still without an answer.",
    labelNames: ["state"] as const,
    registers,
    collect() {
      for (const state of ["completed", "failed", "unanswered"]) this.set({ state }, 0);
      for (const { counts } of all()) {
        this.inc({ state: "completed" }, counts.completed);
        this.inc({ state: "failed" }, counts.failed);
        this.inc({ state: "unanswered" }, counts.total - counts.completed - counts.failed);
      }
    },
  });

  return {
    observe({ method, routeOptions }, reply) {
      const route = routeOptions.url ?? "unknown";
      requests.inc({ method, route, status: reply.statusCode });
      durations.observe({ method, route }, reply.elapsedTime / 1_000);
    },
    contentType: registry.contentType,
    read: () => registry.metrics(),
  };
}
