import { z } from "zod";
import { modelSchema } from "#contract";
import { ServiceError } from "../../errors.ts";
import { quote } from "../../quote.ts";
import type { Service } from "../../service.ts";
import type { HttpApp } from "../http-app.ts";
import { answers } from "../schemas.ts";
import { toWireModel, toWireModelList } from "../wire.ts";

const modelListSchema = z.object({ object: z.literal("list"), data: z.array(modelSchema) });

/** The models that requests may name. */
export function addModelRoutes(app: HttpApp, { models }: Service): void {
  app.get("/v1/models", { schema: { response: answers(modelListSchema) } }, (_request, reply) => {
    reply.send(toWireModelList(models.list()));
  });

  // Ids have a slash in them, which clients may or may not escape.
  app.get(
    "/v1/models/*",
    { schema: { params: z.object({ "*": z.string() }), response: answers(modelSchema) } },
    (request, reply) => {
      const name = request.params["*"];
      const model = models.find(name);
      if (model === undefined) throw new ServiceError("not_found", `The model ${quote(name)} does not exist.`, "model");
      reply.send(toWireModel(model));
    },
  );
}
