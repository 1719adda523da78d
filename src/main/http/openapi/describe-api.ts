import { fastifySwagger, type SwaggerTransform } from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import {
  assistantMessageSchema,
  batchErrorSchema,
  batchListSchema,
  batchSchema,
  chatCompletionChunkSchema,
  chatCompletionSchema,
  chatMessageSchema,
  chatRequestSchema,
  chatToolSchema,
  clockSchema,
  completionRequestSchema,
  createBatchSchema,
  type DialectName,
  deletedFileSchema,
  deletedResponseSchema,
  embeddingListSchema,
  embeddingRequestSchema,
  faultSettingsSchema,
  fileSchema,
  loggedRequestSchema,
  mcpAnswerSchema,
  mcpEnabledSchema,
  mcpMessageSchema,
  mcpStatusSchema,
  modelSchema,
  moderationRequestSchema,
  moderationSchema,
  responseRequestSchema,
  responseSchema,
  textCompletionSchema,
  timestampSchema,
  toolCallSchema,
  turnClockSchema,
  uploadPurposes,
  usageSchema,
} from "#contract";
import { jsonValueSchema, ruleSchema, rulesSchema } from "#main/engines";
import { generateAnswerSchema, generateRequestSchema, messageSchema, messagesRequestSchema } from "#main/requests";
import type { Dialect } from "../dialect.ts";
import type { HttpApp } from "../http-app.ts";
import { vendorErrors } from "../vendor.ts";
import { operations, tags } from "./operations.ts";

/**
 * Describes the routes that are added to the app from now on as OpenAPI 3.1, out of the schemas that check their
 * requests. The answer gives the description as JSON, in the dialect that is served; it is made when it is first asked for.
 */
export function describeApi(app: HttpApp, dialect: Dialect): () => string {
  app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.1",
      info: {
        title: "Sheaf mock server",
        version: "1",
        description:
          "Batches of chat completions on one machine, for any client of the OpenAI API. Each path can be reached under `/scope/NAME`, too, or with the header `x-sheaf-scope`: a scope has files, batches, rules, faults and requests of its own. The header `x-sheaf-outcome` has one request fail: `failure`, `rate_limit`, `drop`, `malformed`, `hang` or `reset`.",
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

  const texts = new Map<DialectName, string>();
  return () => {
    const text = texts.get(dialect.name) ?? tidyDescription(app.swagger(), dialect);
    texts.set(dialect.name, text);
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

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.looseObject({})),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/**
 * Describes what answers mean where no schema does, and leaves each shape in the description once: the generator writes all of
 * them down as they come in and as they go out, used or not.
 */
function tidyDescription(description: object, dialect: Dialect): string {
  const { components, paths, ...rest } = documentSchema.parse(JSON.parse(JSON.stringify(description, tidyValue)));
  // HEAD is wherever GET is. The generator has it where a route names it, under GET's operation id.
  const document = { ...rest, paths: mapValues(paths, ({ head: _, ...methods }) => methods) };
  const schemas = keepUsed(dialect.describe(components.schemas), JSON.stringify(document));
  let text = JSON.stringify({ ...document, components: { ...components, schemas } });
  for (const name of Object.keys(schemas)) {
    const plain = name.replace(/Input$/, "");
    if (plain in schemas) continue;
    text = text.replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${plain}"`);
    text = text.replace(`"${name}":`, `"${plain}":`);
  }
  return text;
}

/** The name that the generator gives to an answer whose schema has no description. */
const unnamed = "Default Response";
const meanings: Readonly<Record<string, string>> = {
  "200": "Done.",
  "4XX": "What is wrong with the request.",
  "5XX": "A fault of the server. Its log has the details.",
};

/** The range of all whole numbers is no rule of the API: those who make up answers by the description would use it. */
const widest: Readonly<Record<string, number>> = {
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

function tidyValue(key: string, value: unknown): unknown {
  if (value === widest[key]) return undefined;
  const isUnnamed =
    typeof value === "object" && value !== null && "description" in value && value.description === unnamed;
  return isUnnamed ? { ...value, description: meanings[key] ?? "" } : value;
}

/** The schemas that a text refers to, and those that these refer to, by name. */
function keepUsed(schemas: Readonly<Record<string, unknown>>, text: string): Record<string, unknown> {
  const used = new Set<string>();
  function visit(from: string): void {
    for (const [, name = ""] of from.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(JSON.stringify(schemas[name] ?? {}));
    }
  }
  visit(text);
  return Object.fromEntries([...used].sort().map((name) => [name, schemas[name]]));
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** The form of an upload, as JSON schema: it is read as a stream (upload.ts), so that no schema checks it as a whole. */
const uploadForm = {
  type: "object",
  required: ["file", "purpose"],
  properties: {
    file: { type: "string", contentMediaType: "application/octet-stream", description: "The JSONL file." },
    purpose: { type: "string", enum: [...uploadPurposes] },
    "expires_after[anchor]": { type: "string", enum: ["created_at"] },
    "expires_after[seconds]": {
      type: "integer",
      minimum: 3_600,
      maximum: 2_592_000,
      description: "How long the file is kept. For good by default.",
    },
  },
};

/** Schemas that have a name of their own in the API description; all others are written out where they are. */
const components: Readonly<Record<string, z.ZodType>> = {
  ...vendorErrors,
  GenerateContentRequest: generateRequestSchema,
  GenerateContentResponse: generateAnswerSchema,
  AnthropicMessage: messageSchema,
  AnthropicRequest: messagesRequestSchema,
  AssistantMessage: assistantMessageSchema,
  Batch: batchSchema,
  BatchError: batchErrorSchema,
  BatchList: batchListSchema,
  ChatCompletion: chatCompletionSchema,
  ChatCompletionChunk: chatCompletionChunkSchema,
  ChatMessage: chatMessageSchema,
  ChatRequest: chatRequestSchema,
  ChatTool: chatToolSchema,
  Clock: clockSchema,
  CompletionRequest: completionRequestSchema,
  CreateBatch: createBatchSchema,
  DeletedFile: deletedFileSchema,
  DeletedResponse: deletedResponseSchema,
  EmbeddingList: embeddingListSchema,
  EmbeddingRequest: embeddingRequestSchema,
  Faults: faultSettingsSchema,
  File: fileSchema,
  JsonValue: jsonValueSchema,
  LoggedRequest: loggedRequestSchema,
  McpAnswer: mcpAnswerSchema,
  McpEnabled: mcpEnabledSchema,
  McpMessage: mcpMessageSchema,
  McpStatus: mcpStatusSchema,
  Model: modelSchema,
  Moderation: moderationSchema,
  ModerationRequest: moderationRequestSchema,
  Response: responseSchema,
  ResponseRequest: responseRequestSchema,
  Rule: ruleSchema,
  Rules: rulesSchema,
  TextCompletion: textCompletionSchema,
  Timestamp: timestampSchema,
  ToolCall: toolCallSchema,
  TurnClock: turnClockSchema,
  Usage: usageSchema,
};

for (const [id, schema] of Object.entries(components)) z.globalRegistry.add(schema, { ...schema.meta(), id });
