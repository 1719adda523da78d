import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import { type ChatRequest, chatRequestSchema, completionRequestSchema, responseRequestSchema } from "#contract";
import type { EngineCall } from "#main/base";
import { toEngineCall } from "#main/engines";
import {
  completionsTranslator,
  dropForeign,
  generateRequestSchema,
  type JsonObject,
  messagesRequestSchema,
  readGenerateRequest,
  readMessagesRequest,
  responsesTranslator,
  type Translated,
  toCamelCase,
} from "#main/requests";
import { isJsonObject, withoutForeign } from "./validate.ts";

/** What the log of requests has of a call. */
export interface LoggedCall {
  readonly id: string;
  /** The path of its route. */
  readonly endpoint: string;
  readonly headers: IncomingHttpHeaders;
  /** Null for none, and for one that is not JSON. */
  readonly body: unknown;
}

const never = new AbortController().signal;
const generatePath = /^\/v1beta\/models\/(.+):(generateContent|streamGenerateContent)$/;

/** A logged request as rules see it: of whichever vendor, as a chat completion, where it asks for one. */
export function readLoggedCall({ id, endpoint, headers, body }: LoggedCall): EngineCall {
  const call = { requestId: id, endpoint, headers, line: null, signal: never };
  const given = isJsonObject(body) ? body : {};
  const request = readChatRequest(endpoint, given);
  return request === null ? toEngineCall({ ...call, body: given }) : { ...call, request };
}

/** Null for a request that asks for something else, and for one that can't be read. */
function readChatRequest(endpoint: string, body: JsonObject): ChatRequest | null {
  switch (endpoint) {
    case "/v1/chat/completions":
      return chatRequestSchema.safeParse(body).data ?? null;
    case "/v1/completions":
      return first(parse(completionRequestSchema, body, completionsTranslator.toChat));
    case "/v1/responses":
      return first(parse(responseRequestSchema, dropForeign(endpoint, body), responsesTranslator.toChat));
    case "/v1/messages":
      return parse(messagesRequestSchema, withoutForeign(messagesRequestSchema, body), readMessagesRequest);
    default:
  }
  const [, model, method] = generatePath.exec(endpoint) ?? [];
  if (model === undefined) return null;
  const given = withoutForeign(generateRequestSchema, toCamelCase(body));
  return parse(generateRequestSchema, given, (request) =>
    readGenerateRequest(request, decodeURIComponent(model), method === "streamGenerateContent"),
  );
}

function parse<T, R>(schema: z.ZodType<T>, body: unknown, read: (request: T) => R): R | null {
  const { data } = schema.safeParse(body);
  return data === undefined ? null : read(data);
}

function first(translated: Translated | null): ChatRequest | null {
  return translated !== null && "requests" in translated ? translated.requests[0] : null;
}
