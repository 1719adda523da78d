import { z } from "zod";
import { type ChatMessage, type ChatRequest, type FinishReason, messageText } from "#contract";
import { readBase64 } from "#main/answers";
import { asCount, asObject, asText, isObject, type JsonObject, listObjects } from "#main/base";
import { parseJson } from "#main/storage";
import { findForeignTools, listFunctions, namedFunction } from "./chat-tools.ts";
import { toGeminiSchema } from "./gemini-schema.ts";
import type { Translation } from "./part-line.ts";

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

/**
 * The same for a batch. `responseJsonSchema` gives answers of wrong shapes there: a schema is written as `responseSchema`, and one that this
 * can't have stands in the prompt alone, with a note.
 */
export function toGeminiBatch(request: ChatRequest, service = "This service"): Translation {
  const translated = toGemini(request, service);
  const schema = request.response_format?.json_schema?.schema;
  if ("problems" in translated || !schema) return translated;
  const { responseJsonSchema: _, ...config } = asObject(translated.params.generationConfig);
  const written = toGeminiSchema(schema);
  if ("schema" in written) {
    return { params: { ...translated.params, generationConfig: { ...config, responseSchema: written.schema } } };
  }
  const { parts } = asObject(translated.params.systemInstruction);
  const rule = { text: `Answer with JSON that follows this JSON schema: ${JSON.stringify(schema)}` };
  const systemInstruction = { parts: [...listObjects(parts), rule] };
  const message = `Batches of ${service} can't enforce this schema: it has ${written.lacks}. The schema is sent as text in the prompt.`;
  return {
    params: { ...translated.params, systemInstruction, generationConfig: config },
    notes: [{ param: "body.response_format", message }],
  };
}

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

function toCallingConfig(request: ChatRequest): JsonObject {
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
  z.object({ type: z.literal("text"), text: z.string() }).transform(({ text }): JsonObject => ({ text })),
  z
    .object({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) })
    .transform(({ image_url: { url } }, context): JsonObject => {
      const inlineData = readBase64(url);
      if (inlineData === null) context.addIssue("an image elsewhere");
      return { inlineData };
    }),
]);

/** Null where a part has no counterpart. */
function toContent(message: ChatMessage, nameOf: ReadonlyMap<unknown, string>): JsonObject | null {
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

/** Words with a counterpart; every other one is kept. */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
};

/** A GenerateContentResponse as a chat completion; null where it is none. `created` is in Unix seconds. */
export function fromGemini(value: unknown, key: string, created: number): JsonObject | null {
  const { candidates, promptFeedback, usageMetadata, responseId, modelVersion } = asObject(value);
  const blockReason = asText(asObject(promptFeedback).blockReason);
  // A prompt that is blocked has no answer at all.
  const blocked = blockReason === null ? [] : [{ finishReason: "SAFETY", finishMessage: blockReason }];
  const given = Array.isArray(candidates) && candidates.length > 0 ? listObjects(candidates) : blocked;
  if (given.length === 0) return null;
  const usage = toUsage(asObject(usageMetadata));
  return {
    id: asText(responseId) ?? `gemini-${key}`,
    object: "chat.completion",
    created,
    model: asText(modelVersion) ?? "gemini",
    choices: given.map(toChoice),
    ...(usage === null ? {} : { usage }),
  };
}

function toChoice({ content, finishReason, finishMessage }: JsonObject, index: number): JsonObject {
  const reason = asText(finishReason);
  const parts = listObjects(asObject(content).parts);
  const join = (isThought: boolean) =>
    parts
      .filter(({ thought }) => (thought === true) === isThought)
      .map(({ text }) => asText(text) ?? "")
      .join("");
  const calls = parts.flatMap(({ functionCall: call }) => (isObject(call) ? [call] : []));
  const toolCalls = calls.map(({ name, args }, at) => ({
    id: `call_${index}_${at}`,
    type: "function",
    function: { name: asText(name) ?? "", arguments: JSON.stringify(args ?? {}) },
  }));
  const images = parts.flatMap(({ inlineData, fileData }) => {
    const { mimeType, data } = asObject(inlineData);
    const url =
      typeof data === "string"
        ? `data:${asText(mimeType) ?? "image/png"};base64,${data}`
        : asText(asObject(fileData).fileUri);
    return url === null ? [] : [{ type: "image_url", image_url: { url } }];
  });
  const [text, thought] = [join(false), join(true)];
  return {
    index,
    message: {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      ...(thought === "" ? {} : { reasoning_content: thought }),
      ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
      ...(images.length > 0 ? { images } : {}),
    },
    finish_reason: calls.length > 0 && reason === "STOP" ? "tool_calls" : (finishReasons[reason ?? ""] ?? reason),
    ...(typeof finishMessage === "string" && { finishMessage }),
  };
}

/** Null where the service counted nothing; it leaves out what is 0. The tokens of thoughts are not among those of candidates. */
function toUsage(usage: JsonObject): JsonObject | null {
  const { promptTokenCount: prompt, candidatesTokenCount: written, thoughtsTokenCount: thought } = usage;
  if ([prompt, written, thought].every((count) => asCount(count) === null)) return null;
  // What its tools put into the prompt is counted apart, and paid like it.
  const promptTokens = (asCount(prompt) ?? 0) + (asCount(usage.toolUsePromptTokenCount) ?? 0);
  const thoughtTokens = asCount(thought) ?? 0;
  const audio = [usage.promptTokensDetails, usage.candidatesTokensDetails].map((details) => countOf(details, "AUDIO"));
  const images = countOf(usage.candidatesTokensDetails, "IMAGE");
  const completionTokens = (asCount(written) ?? 0) + thoughtTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: {
      cached_tokens: asCount(usage.cachedContentTokenCount) ?? 0,
      ...(audio[0] && { audio_tokens: audio[0] }),
    },
    ...((thoughtTokens || audio[1] || images) && {
      completion_tokens_details: {
        ...(thoughtTokens > 0 && { reasoning_tokens: thoughtTokens }),
        ...(audio[1] && { audio_tokens: audio[1] }),
        ...(images && { image_tokens: images }),
      },
    }),
    ...(typeof usage.serviceTier === "string" && { service_tier: usage.serviceTier }),
  };
}

function countOf(details: unknown, modality: string): number {
  const found = listObjects(details).find((one) => one.modality === modality);
  return asCount(found?.tokenCount) ?? 0;
}
