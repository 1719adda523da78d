import "./components.ts";
import { fastifySwagger, type SwaggerTransform } from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { mcpMessageSchema } from "#contract";
import type { HttpApp } from "../app.ts";
import { operations, tags } from "./operations.ts";
import { tidyDescription } from "./tidy-description.ts";
import { uploadForm } from "./upload-form.ts";

/**
 * Describes the routes that are added to the app from now on as OpenAPI 3.1, out of the schemas that check their
 * requests. The answer gives the description as JSON; it is made when it is first asked for.
 */
export function describeApi(app: HttpApp): () => string {
  app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.1",
      info: {
        title: "Sheaf mock server",
        version: "1",
        description: "Batches of chat completions on one machine, for any client of the OpenAI API.",
      },
      servers: [{ url: "/" }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: { key: { type: "http", scheme: "bearer" }, mcpToken: { type: "http", scheme: "bearer" } },
      },
      security: [{ key: [] }],
    },
    transform: describeRoute,
    transformObject: jsonSchemaTransformObject,
  });

  let text: string | undefined;
  return () => {
    text ??= tidyDescription(app.swagger());
    return text;
  };
}

const describeRoute: SwaggerTransform = (route) => {
  const { schema, url } = jsonSchemaTransform(route.url === "/v1/mcp" ? withMcpMessage(route) : route);
  const method = [route.route.method].flat()[0] ?? "";
  const described = { ...schema, ...structuredClone(operations[`${method} ${route.url}`]) };
  if (url === "/v1/files" && method === "POST") described.body = uploadForm;
  if (!url.endsWith("*")) return { schema: described, url };
  // The id of a model is what is left of the path: it has a slash in it.
  const params = { type: "object", properties: { model: { type: "string" } }, required: ["model"] };
  return { schema: { ...described, params }, url: url.replace("*", ":model") };
};

type DescribedRoute = Parameters<typeof jsonSchemaTransform>[0];

/** What is wrong with a message is answered in its own protocol: no schema of the route checks it. */
function withMcpMessage(route: DescribedRoute): DescribedRoute {
  return { ...route, schema: { ...route.schema, body: mcpMessageSchema } };
}
