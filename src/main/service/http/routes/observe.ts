import { z } from "zod";
import { loggedRequestSchema } from "#contract";
import { ServiceError } from "../../errors.ts";
import { quote } from "../../quote.ts";
import type { HttpApp } from "../app.ts";
import { ignoreBodies } from "../ignore-bodies.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { RequestLog } from "../observe/request-log.ts";
import { answers, answersOf, listOf, listQuery } from "../schemas.ts";
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
    ({ query }, reply) => {
      const page = log.list(query, query);
      if (page === null) {
        throw new ServiceError("not_found", `No request with the id ${quote(query.after ?? "")}.`, "after");
      }
      reply.send(toPage(page.requests, page.hasMore));
    },
  );

  app.register((clearing: HttpApp, _options, registered) => {
    ignoreBodies(clearing);
    clearing.delete("/sheaf/requests", { schema: { response: answers(clearedSchema) } }, (_request, reply) => {
      log.clear();
      reply.send({ object: "list", deleted: true });
    });
    registered();
  });

  app.get("/metrics", { schema: { response: answersOf("text/plain", "The figures.") } }, (_request, reply) => {
    reply.type(metrics.contentType).send(metrics.read());
  });
}
