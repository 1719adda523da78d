import { z } from "zod";
import { deletedResponseSchema, inputItemListSchema, responseSchema } from "#contract";
import { quote, ServiceError } from "#main/base";
import type { StoredResponse } from "#main/engines";
import type { Service } from "#main/service";
import { addBodiless, type HttpApp } from "../http-app.ts";
import { answers, listQuery } from "../schemas.ts";
import { toPage } from "../wire.ts";

const responseParams = z.object({ response_id: z.string() });
const itemListQuery = listQuery({ most: 100, default: 20 }).extend({ order: z.enum(["asc", "desc"]).default("desc") });

/** What is stored of `/v1/responses`: read, list what one was asked with, delete. */
export function addResponseRoutes(app: HttpApp, { responses }: Service): void {
  function find(scope: string, id: string): StoredResponse {
    const found = responses.find(scope, id);
    if (found === undefined)
      throw new ServiceError("not_found", `No response with the id ${quote(id)}.`, "response_id");
    return found;
  }

  app.get(
    "/v1/responses/:response_id",
    { schema: { params: responseParams, response: answers(responseSchema) } },
    ({ params, scope }, reply) => {
      reply.send(find(scope.name, params.response_id).response);
    },
  );

  app.get(
    "/v1/responses/:response_id/input_items",
    { schema: { params: responseParams, querystring: itemListQuery, response: answers(inputItemListSchema) } },
    ({ params, query: { order, limit, after }, scope }, reply) => {
      const { input } = find(scope.name, params.response_id);
      const ordered = order === "asc" ? input : input.toReversed();
      const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) {
        throw new ServiceError("not_found", `No item with the id ${quote(after)}.`, "after");
      }
      reply.send(toPage(ordered.slice(start, start + limit), start + limit < ordered.length));
    },
  );

  addBodiless(app, (deleting) => {
    deleting.delete(
      "/v1/responses/:response_id",
      { schema: { params: responseParams, response: answers(deletedResponseSchema) } },
      ({ params, scope }, reply) => {
        const { id } = find(scope.name, params.response_id).response;
        responses.remove(scope.name, id);
        reply.send({ id, object: "response", deleted: true });
      },
    );
  });
}
