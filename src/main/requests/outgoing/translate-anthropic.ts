import { z } from "zod";
import { type ChatMessage, type ChatRequest, type FinishReason, messageText } from "#contract";
import { readBase64 } from "#main/answers";
import { asCount, asObject, asText, isObject, type JsonObject, listObjects } from "#main/base";
import { parseJson } from "#main/storage";
import { findForeignTools, listFunctions, namedFunction } from "./chat-tools.ts";
import type { Translation, TranslationProblem } from "./part-line.ts";

/** Parameters whose meaning does not change on the way; `user` has a place of its own. */
const sameMeaning = ["model", "temperature", "top_p", "top_k", "thinking", "service_tier", "cache_control"] as const;

/** The parameters that are translated; any other in a request is a problem, since it would be lost. */
const translated = new Set<string>([
  ...sameMeaning,
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "stream",
  "stream_options",
  "user",
  "n",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "response_format",
  "reasoning_effort",
]);

/**
 * The parameters of Anthropic's Messages API that ask for the same as a chat-completion request.
 * `service` is what problems call it. Source: MessageCreateParams of `@anthropic-ai/sdk`.
 */
export function toAnthropic(request: ChatRequest, service = "This service"): Translation {
  const problems = findProblems(request, service);
  if (problems.length > 0) return { problems };
  const { messages, stop, user, reasoning_effort: effort } = request;
  const format = request.response_format?.type === "json_schema" ? request.response_format.json_schema?.schema : null;
  const system = toSystem(messages.filter(isSystem));
  const outputConfig = {
    ...(format ? { format: { type: "json_schema", schema: format } } : {}),
    ...(typeof effort === "string" ? { effort } : {}),
  };
  const params: Record<string, unknown> = {
    max_tokens: request.max_completion_tokens ?? request.max_tokens,
    messages: joinTurns(messages.filter((message) => !isSystem(message)).map(toTurn)),
    ...(system === "" ? {} : { system }),
    ...(stop ? { stop_sequences: [stop].flat() } : {}),
    ...(typeof user === "string" ? { metadata: { user_id: user } } : {}),
    ...(Object.keys(outputConfig).length > 0 ? { output_config: outputConfig } : {}),
    ...toTools(request),
  };
  for (const name of sameMeaning) {
    if (request[name] !== undefined && request[name] !== null) params[name] = request[name];
  }
  return { params };
}

function findProblems(request: ChatRequest, service: string): TranslationProblem[] {
  const problems = findForeignTools(request, service);
  const report = (param: string, message: string) => problems.push({ param: `body.${param}`, message });
  if (!(request.max_completion_tokens ?? request.max_tokens)) {
    report("max_completion_tokens", `${service} needs to be told the most tokens of an answer.`);
  }
  if ((request.temperature ?? 0) > 1) report("temperature", `${service} takes temperatures from 0 to 1.`);
  if ((request.n ?? 1) > 1) report("n", `${service} gives one answer to a request.`);
  if (request.response_format?.type === "json_object") {
    report("response_format", `${service} answers JSON by a schema only: use the type json_schema.`);
  }
  for (const [name, value] of Object.entries(request)) {
    const isSet = value !== null && value !== undefined && value !== false;
    if (isSet && !translated.has(name)) report(name, `${service} has no parameter ${name}.`);
  }
  request.messages.forEach((message, at) => {
    if (message.role === "tool" && typeof message.tool_call_id !== "string") {
      report(`messages.${at}.tool_call_id`, "An answer of a tool needs the id of its call.");
    }
    if (toContent(message) === null) {
      report(`messages.${at}.content`, `${service} takes parts of the types text and image_url.`);
    }
  });
  return problems;
}

/** A text; blocks where it says what of it is to be cached. */
function toSystem(messages: readonly ChatMessage[]): string | readonly JsonObject[] {
  const blocks = messages.flatMap((message) => toContent(message) ?? []);
  return blocks.some(({ cache_control: control }) => control !== undefined)
    ? blocks
    : messages.map(messageText).join("\n\n");
}

const isSystem = ({ role }: ChatMessage): boolean => role === "system" || role === "developer";

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
}

const toolCallsSchema = z.array(
  z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }),
);

function toTurn(message: ChatMessage): Turn {
  const content = toContent(message) ?? [];
  if (message.role === "tool") {
    return { role: "user", content: [{ type: "tool_result", tool_use_id: message.tool_call_id, content }] };
  }
  const { data: calls = [] } = toolCallsSchema.safeParse(message.tool_calls);
  const uses = calls.map(({ id, function: { name, arguments: input } }) => ({
    type: "tool_use",
    id,
    name,
    input: parseJson(input) ?? {},
  }));
  return { role: message.role === "assistant" ? "assistant" : "user", content: [...content, ...uses] };
}

/** Neighbours of one role are one turn here: the answers of several tools belong into one. */
function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role !== turn.role) joined.push(turn);
    else joined[joined.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] };
  }
  return joined;
}

/** What of a request is kept in the service's cache: this API alone knows it, so it is passed on as it is. */
const cached = { cache_control: z.looseObject({}).optional() };

const partSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string(), ...cached }),
  z
    .object({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }), ...cached })
    .transform(({ image_url: { url }, type: _, ...others }) => ({
      type: "image" as const,
      source: toImageSource(url),
      ...others,
    })),
]);
const partsSchema = z.array(partSchema);

/** The content as this API's blocks; null where it has parts of a type that has no counterpart. */
function toContent(message: ChatMessage): readonly JsonObject[] | null {
  const { content } = message;
  if (content === null || content === undefined || content === "") return [];
  const blocks: readonly JsonObject[] | null =
    typeof content === "string" ? [{ type: "text", text: content }] : (partsSchema.safeParse(content).data ?? null);
  // Of a whole message: up to its end.
  return (
    blocks?.map((block, at) => (at === blocks.length - 1 ? { ...block, ...pickCacheControl(message) } : block)) ?? null
  );
}

function toImageSource(url: string): JsonObject {
  const found = readBase64(url);
  return found === null ? { type: "url", url } : { type: "base64", media_type: found.mimeType, data: found.data };
}

function toTools(request: ChatRequest): JsonObject {
  const { tool_choice: choice, parallel_tool_calls: parallel } = request;
  const functions = listFunctions(request);
  if (functions.length === 0) return {};
  const single = parallel === false ? { disable_parallel_tool_use: true } : {};
  return {
    tools: functions.map(({ name, description, parameters, strict }, at) => ({
      name,
      ...(description ? { description } : {}),
      ...(typeof strict === "boolean" ? { strict } : {}),
      input_schema: parameters ?? { type: "object" },
      ...pickCacheControl(request.tools?.[at]),
    })),
    ...(choice || parallel === false ? { tool_choice: { ...toToolChoice(request), ...single } } : {}),
  };
}

function pickCacheControl(part: unknown): JsonObject {
  const { cache_control: control } = asObject(part);
  return isObject(control) ? { cache_control: control } : {};
}

function toToolChoice(request: ChatRequest): JsonObject {
  const { tool_choice: choice } = request;
  const name = namedFunction(request);
  if (name !== null) return { type: "tool", name };
  return { type: choice === "required" ? "any" : choice === "none" ? "none" : "auto" };
}

/** Words with a counterpart; every other one is kept. */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** A message of Anthropic's API as a chat completion; null where it is none. `created` is in Unix seconds. */
export function fromAnthropic(value: unknown, created: number): JsonObject | null {
  const message = asObject(value);
  if (!Array.isArray(message.content) && typeof message.stop_reason !== "string") return null;
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: JsonObject[] = [];
  for (const block of listObjects(message.content)) {
    if (typeof block.text === "string") texts.push(block.text);
    else if (typeof block.thinking === "string") thoughts.push(block.thinking);
    else if (block.type === "tool_use" && typeof block.name === "string") {
      const id = asText(block.id) ?? `call_${calls.length}`;
      calls.push({
        id,
        type: "function",
        function: { name: block.name, arguments: JSON.stringify(block.input ?? {}) },
      });
    }
  }
  const usage = toUsage(asObject(message.usage));
  const { service_tier: tier } = asObject(message.usage);
  const reason = asText(message.stop_reason);
  return {
    id: asText(message.id) ?? "",
    object: "chat.completion",
    created,
    model: asText(message.model) ?? "",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: texts.length > 0 ? texts.join("") : null,
          ...(thoughts.length > 0 ? { reasoning_content: thoughts.join("\n\n") } : {}),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishReasons[reason ?? ""] ?? reason,
      },
    ],
    ...(asText(tier) === null ? {} : { service_tier: tier }),
    ...(usage === null ? {} : { usage }),
  };
}

/** Null where the service counted nothing. Tokens that it read from its cache, or wrote to it, are not among its `input_tokens`. */
function toUsage(usage: JsonObject): JsonObject | null {
  const [input, output] = [asCount(usage.input_tokens), asCount(usage.output_tokens)];
  if (input === null || output === null) return null;
  const cached = asCount(usage.cache_read_input_tokens) ?? 0;
  const { ephemeral_5m_input_tokens: minutes, ephemeral_1h_input_tokens: hour } = asObject(usage.cache_creation);
  const hourTokens = asCount(hour) ?? 0;
  const written = asCount(usage.cache_creation_input_tokens) ?? (asCount(minutes) ?? 0) + hourTokens;
  const prompt = input + cached + written;
  const { speed, inference_geo: place, server_tool_use: tools } = usage;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: cached,
      ...(written > 0 && { cache_write_tokens: written }),
      ...(hourTokens > 0 && { cache_write_1h_tokens: hourTokens }),
    },
    // These have prices of their own.
    ...(asText(speed) !== null && { speed }),
    ...(asText(place) !== null && { inference_geo: place }),
    ...(isObject(tools) && { server_tool_use: tools }),
  };
}

/** What this API allows as `custom_id`. */
const allowedId = /^[A-Za-z0-9_-]{1,64}$/;

/** Our custom_id where the service allows it, else one made of the line's number (from 1), unique in the file. */
export function toAnthropicId(customId: string, line: number): string {
  const isTaken = /^sheaf-line-\d+$/.test(customId);
  return allowedId.test(customId) && !isTaken ? customId : `sheaf-line-${line}`;
}
