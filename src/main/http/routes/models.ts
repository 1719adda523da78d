import { z } from "zod";
import { modelSchema } from "#contract";
import { quote, ServiceError } from "#main/base";
import { anthropicModelSchema } from "#main/requests";
import type { Service } from "#main/service";
import { anthropicPageOf, anthropicPageQuery, toAnthropicPage } from "../anthropic-pages.ts";
import type { HttpApp } from "../http-app.ts";
import { answers } from "../schemas.ts";
import { anyErrorSchema, vendorOf } from "../vendor.ts";
import { toAnthropicModel, toWireModel, toWireModelList } from "../wire.ts";

const modelListSchema = z.object({ object: z.literal("list"), data: z.array(modelSchema) });

/** The models that requests may name; for Anthropic's clients, which may name any, in the shape of its API. */
export function addModelRoutes(app: HttpApp, { models }: Service): void {
  const listSchema = z.union([modelListSchema, anthropicPageOf(anthropicModelSchema)]);
  app.get(
    "/v1/models",
    { schema: { querystring: anthropicPageQuery, response: answers(listSchema, anyErrorSchema) } },
    (request, reply) => {
      const isAnthropic = vendorOf(request) === "anthropic";
      reply.send(
        isAnthropic
          ? toAnthropicPage(models.list().map(toAnthropicModel), request.query)
          : toWireModelList(models.list()),
      );
    },
  );

  // Ids have a slash in them, which clients may or may not escape.
  app.get(
    "/v1/models/*",
    {
      schema: {
        params: z.object({ "*": z.string() }),
        response: answers(z.union([modelSchema, anthropicModelSchema]), anyErrorSchema),
      },
    },
    (request, reply) => {
      const name = request.params["*"];
      const model = models.find(name);
      if (vendorOf(request) === "anthropic") return reply.send(toAnthropicModel(model ?? { id: name }));
      if (model === undefined) throw new ServiceError("not_found", `The model ${quote(name)} does not exist.`, "model");
      return reply.send(toWireModel(model));
    },
  );
}
