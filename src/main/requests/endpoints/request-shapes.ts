import type { z } from "zod";
import {
  type ChatMessage,
  type ChatRequest,
  type CompletionRequest,
  chatRequestSchema,
  completionRequestSchema,
  type EmbeddingRequest,
  embeddingRequestSchema,
  type ModerationRequest,
  messageText,
  moderationRequestSchema,
  type ResponseRequest,
  responseRequestSchema,
} from "#contract";
import { completionFields, completionsTranslator } from "./completions.ts";
import { responsesTranslator } from "./responses.ts";
import { includables, responseFields } from "./responses-request.ts";
import { type JsonObject, listUnknown, type Translated, type TranslationProblem } from "./translation.ts";

/** What a request to an endpoint looks like, for those who check it before it is answered. */
export interface RequestShape {
  readonly schema: z.ZodType;
  /** Models of the endpoint alone, next to those of the service. */
  readonly models: readonly string[];
  /** All fields that are read; null where any other may be there, too. */
  readonly known: ReadonlySet<string> | null;
  /** What its `include` may ask for; null where there is no such field. */
  readonly includables: ReadonlySet<unknown> | null;
  /** Whether the service chooses a model where a request names none. */
  readonly hasUsualModel: boolean;
  /** The field with what a model is to read. */
  readonly promptField: string;
  /** The fields that limit the tokens of an answer; the first is the usual one. */
  readonly limitFields: readonly string[];
  /** The texts of each prompt, of a body that the schema takes; or what in it can't be answered here. */
  readPrompts(body: JsonObject): Prompts;
}

type Prompts =
  | { readonly prompts: readonly (readonly string[])[] }
  | { readonly problems: readonly TranslationProblem[] };

const chatShape: RequestShape = {
  schema: chatRequestSchema,
  models: [],
  known: null,
  includables: null,
  hasUsualModel: false,
  promptField: "messages",
  limitFields: ["max_completion_tokens", "max_tokens"],
  readPrompts: (body) => ({ prompts: [textsOf(body as ChatRequest)] }),
};

const shapes: Readonly<Record<string, RequestShape>> = {
  "/v1/completions": {
    ...chatShape,
    schema: completionRequestSchema,
    known: completionFields,
    promptField: "prompt",
    limitFields: ["max_tokens"],
    readPrompts: (body) => promptsOf(completionsTranslator.toChat(body as CompletionRequest)),
  },
  "/v1/responses": {
    ...chatShape,
    schema: responseRequestSchema,
    known: responseFields,
    includables,
    promptField: "input",
    limitFields: ["max_output_tokens"],
    readPrompts: (body) => promptsOf(responsesTranslator.toChat(withoutReferences(body as ResponseRequest))),
  },
  "/v1/embeddings": {
    schema: embeddingRequestSchema,
    models: ["text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002"],
    known: new Set(Object.keys(embeddingRequestSchema.shape)),
    includables: null,
    hasUsualModel: false,
    promptField: "input",
    limitFields: [],
    readPrompts(body) {
      const { input } = body as EmbeddingRequest;
      const texts = (typeof input === "string" ? [input] : input).filter((each) => typeof each === "string");
      return findUnknown(body, embeddingRequestSchema.shape) ?? { prompts: texts.map((text) => [text]) };
    },
  },
  "/v1/moderations": {
    schema: moderationRequestSchema,
    models: [
      "omni-moderation-latest",
      "omni-moderation-2024-09-26",
      "text-moderation-latest",
      "text-moderation-stable",
    ],
    known: new Set(Object.keys(moderationRequestSchema.shape)),
    includables: null,
    hasUsualModel: true,
    promptField: "input",
    limitFields: [],
    readPrompts(body) {
      const { input } = body as ModerationRequest;
      const texts = (typeof input === "string" ? [input] : input).flatMap((each) => {
        if (typeof each === "string") return [each];
        return each.type === "text" ? [each.text] : [];
      });
      return findUnknown(body, moderationRequestSchema.shape) ?? { prompts: texts.map((text) => [text]) };
    },
  },
};

/** What requests to an endpoint look like; chat completions' by default. */
export function findShape(endpoint: string): RequestShape {
  return shapes[endpoint] ?? chatShape;
}

/** The fields that limit the tokens of an answer at an endpoint; none where it has no such. */
export function limitFieldsOf(endpoint: string): readonly string[] {
  return findShape(endpoint).limitFields;
}

function promptsOf(translated: Translated): Prompts {
  return "problems" in translated ? translated : { prompts: translated.requests.map(textsOf) };
}

function textsOf({ messages }: Pick<ChatRequest, "messages">): string[] {
  return messages.map((message: ChatMessage) => messageText(message));
}

function findUnknown(body: JsonObject, known: object): { problems: TranslationProblem[] } | null {
  const unknown = listUnknown(body, new Set(Object.keys(known)));
  if (unknown.length === 0) return null;
  return { problems: unknown.map((param) => ({ param, message: `Unknown parameter: '${param}'.` })) };
}

/** What a request refers to is looked up when it is answered. */
function withoutReferences(request: ResponseRequest): ResponseRequest {
  if (typeof request.input === "string") return request;
  return { ...request, input: request.input.filter(({ type }) => type !== "item_reference") };
}
