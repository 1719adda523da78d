import { z } from "zod";
import { type ChatCompletion, type ChatMessage, type ChatRequest, type FinishReason, messageText } from "#contract";
import { parseJson } from "#main/storage";
import { findForeignTools, listFunctions, namedFunction } from "./chat-tools.ts";
import type { Translation } from "./part-line.ts";

type Json = Readonly<Record<string, unknown>>;

/** Parameters of a chat completion and what they are called here. */
const settings: Readonly<Record<string, string>> = {
  temperature: "temperature",
  top_p: "topP",
  top_k: "topK",
  max_completion_tokens: "maxOutputTokens",
  max_tokens: "maxOutputTokens",
  n: "candidateCount",
  seed: "seed",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
};

const translated = new Set([
  ...Object.keys(settings),
  "model",
  "messages",
  "stop",
  "stream",
  "stream_options",
  "response_format",
  "tools",
  "tool_choice",
]);

/** A chat-completion request as a GenerateContentRequest. `service` is what problems call it. */
export function toGemini(request: ChatRequest, service = "This service"): Translation {
  const problems = findForeignTools(request, service);
  const config: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(request)) {
    if (value === null || value === undefined || value === false) continue;
    const own = settings[name];
    if (own !== undefined) config[own] = value;
    else if (!translated.has(name))
      problems.push({ param: `body.${name}`, message: `${service} has no parameter ${name}.` });
  }
  const { messages, stop, response_format: format, tool_choice: choice } = request;
  if (stop) config.stopSequences = [stop].flat();
  if (format && format.type !== "text") config.responseMimeType = "application/json";
  if (format?.json_schema?.schema) config.responseJsonSchema = format.json_schema.schema;
  const isSystem = ({ role }: ChatMessage) => role === "system" || role === "developer";
  const nameOf = collectCallNames(messages);
  const contents = messages.filter((message) => !isSystem(message)).map((message) => toContent(message, nameOf));
  contents.forEach((content, at) => {
    if (content === null) {
      problems.push({
        param: `body.messages.${at}.content`,
        message: `${service} takes text, and images as data here.`,
      });
    }
  });
  if (problems.length > 0) return { problems };
  const system = messages.filter(isSystem).map(messageText).join("\n\n");
  const declarations = listFunctions(request).map(({ name, description, parameters }) => ({
    name,
    ...(description ? { description } : {}),
    ...(parameters ? { parametersJsonSchema: parameters } : {}),
  }));
  return {
    params: {
      contents,
      ...(system === "" ? {} : { systemInstruction: { parts: [{ text: system }] } }),
      ...(Object.keys(config).length > 0 ? { generationConfig: config } : {}),
      ...(declarations.length > 0 ? { tools: [{ functionDeclarations: declarations }] } : {}),
      ...(choice ? { toolConfig: { functionCallingConfig: toCallingConfig(request) } } : {}),
    },
  };
}

function toCallingConfig(request: ChatRequest): Json {
  const { tool_choice: choice } = request;
  const name = namedFunction(request);
  if (name !== null) return { mode: "ANY", allowedFunctionNames: [name] };
  return { mode: choice === "none" ? "NONE" : choice === "required" ? "ANY" : "AUTO" };
}

const callsSchema = z.array(
  z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }),
);

/** A tool's answer names its function here, not the call. */
function collectCallNames(messages: readonly ChatMessage[]): ReadonlyMap<unknown, string> {
  const calls = messages.flatMap(({ tool_calls: calls }) => callsSchema.safeParse(calls).data ?? []);
  return new Map(calls.map(({ id, function: { name } }) => [id, name]));
}

const partSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }).transform(({ text }): Json => ({ text })),
  z
    .object({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) })
    .transform(({ image_url: { url } }, context): Json => {
      const [, mimeType, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) ?? [];
      if (data === undefined) context.addIssue("an image elsewhere");
      return { inlineData: { mimeType, data } };
    }),
]);

/** Null where a part has no counterpart. */
function toContent(message: ChatMessage, nameOf: ReadonlyMap<unknown, string>): Json | null {
  const { role, content } = message;
  if (role === "tool") {
    const name = nameOf.get(message.tool_call_id) ?? "tool";
    return { role: "user", parts: [{ functionResponse: { name, response: { result: messageText(message) } } }] };
  }
  const parts =
    typeof content === "string" || content == null
      ? [{ text: content ?? "" }]
      : z.array(partSchema).safeParse(content).data;
  if (parts === undefined) return null;
  const calls = (callsSchema.safeParse(message.tool_calls).data ?? []).map(
    ({ function: { name, arguments: text } }) => ({
      functionCall: { name, args: parseJson(text) ?? {} },
    }),
  );
  const said = calls.length > 0 ? parts.filter((part) => !("text" in part) || part.text !== "") : parts;
  return { role: role === "assistant" ? "model" : "user", parts: [...said, ...calls] };
}

const candidateSchema = z.looseObject({
  content: z
    .looseObject({
      parts: z
        .array(
          z.looseObject({
            text: z.string().optional(),
            thought: z.boolean().optional(),
            functionCall: z.looseObject({ name: z.string(), args: z.unknown().optional() }).optional(),
          }),
        )
        .default([]),
    })
    .default({ parts: [] }),
  finishReason: z.string().optional(),
});

const responseSchema = z.looseObject({
  candidates: z.array(candidateSchema).default([]),
  promptFeedback: z.looseObject({ blockReason: z.string().optional() }).optional(),
  modelVersion: z.string().optional(),
  responseId: z.string().optional(),
  usageMetadata: z
    .looseObject({
      promptTokenCount: z.int().default(0),
      candidatesTokenCount: z.int().default(0),
      thoughtsTokenCount: z.int().default(0),
      cachedContentTokenCount: z.int().default(0),
    })
    .prefault({}),
});

const finishReasons: Readonly<Record<string, FinishReason>> = { STOP: "stop", MAX_TOKENS: "length" };

/** A GenerateContentResponse as a chat completion; null where it is none. `created` is in Unix seconds. */
export function fromGemini(value: unknown, key: string, created: number): ChatCompletion | null {
  const { data } = responseSchema.safeParse(value);
  if (data === undefined) return null;
  const { usageMetadata: usage, promptFeedback: { blockReason } = {} } = data;
  // A prompt that is blocked has no answer at all.
  const blocked = blockReason === undefined ? [] : [candidateSchema.parse({ finishReason: blockReason })];
  const candidates = data.candidates.length > 0 ? data.candidates : blocked;
  if (candidates.length === 0) return null;
  const completionTokens = usage.candidatesTokenCount + usage.thoughtsTokenCount;
  return {
    id: data.responseId ?? `gemini-${key}`,
    object: "chat.completion",
    created,
    model: data.modelVersion ?? "gemini",
    choices: candidates.map(({ content: { parts }, finishReason }, index) => {
      const join = (isThought: boolean) =>
        parts
          .filter(({ thought = false }) => thought === isThought)
          .map(({ text = "" }) => text)
          .join("");
      const calls = parts.flatMap(({ functionCall: call }) => (call === undefined ? [] : [call]));
      const toolCalls = calls.map(({ name, args }, at) => ({
        id: `call_${index}_${at}`,
        type: "function" as const,
        function: { name, arguments: JSON.stringify(args ?? {}) },
      }));
      const text = join(false);
      return {
        index,
        message: {
          role: "assistant" as const,
          content: text === "" && calls.length > 0 ? null : text,
          ...(join(true) === "" ? {} : { reasoning_content: join(true) }),
          ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: calls.length > 0 ? "tool_calls" : (finishReasons[finishReason ?? "STOP"] ?? "content_filter"),
      };
    }),
    usage: {
      prompt_tokens: usage.promptTokenCount,
      completion_tokens: completionTokens,
      total_tokens: usage.promptTokenCount + completionTokens,
      prompt_tokens_details: { cached_tokens: usage.cachedContentTokenCount },
    },
  };
}
