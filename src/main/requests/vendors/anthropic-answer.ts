import { type ErrorBody, type FinishReason, readToolCall } from "#contract";
import { type ReadChoice, type ReadDelta, type ReadUsage, readBase64, readChunks, readCompletion } from "#main/answers";
import type { JsonObject } from "#main/base";
import { parseJson } from "#main/storage";
import type { AnswerBlock, AnthropicError, Message } from "./anthropic-wire.ts";
import { countWritten, type OwnCount } from "./usage.ts";

type Usage = Message["usage"];
type End = Pick<Message, "stop_reason" | "stop_sequence" | "stop_details">;

/** A chat completion as the message that Anthropic's API answers with. `tier` is that of a batch for a line of one. */
export function toMessage(completion: JsonObject, tier: Usage["service_tier"], counted: OwnCount = {}): Message {
  const { id, model, choices, usage } = readCompletion(completion);
  const [choice] = choices;
  return {
    ...startMessage(id, model),
    content: choice === undefined ? [] : toBlocks(choice.message),
    ...toEnd(choice?.finish_reason ?? "stop", choice?.stop_reason, choice?.message.refusal),
    usage:
      usage === null
        ? toOwnUsage(choice === undefined ? 0 : countWritten(choice.message), counted, tier)
        : toUsage(usage, tier),
  };
}

/** All of a message that is known before its first word. */
function startMessage(id: string, model: string): Omit<Message, "usage"> {
  return {
    id: `msg_${id.replace(/^chatcmpl-/, "")}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    ...toEnd(null),
    container: null,
    diagnostics: null,
  };
}

function toBlocks(message: ReadChoice["message"]): AnswerBlock[] {
  const { content, reasoning_content: reasoning, pictures, tool_calls: calls } = message;
  return [
    ...(reasoning ? [{ type: "thinking" as const, thinking: reasoning, signature }] : []),
    ...(content ? [{ type: "text" as const, text: content }] : []),
    ...pictures.map(toPicture),
    ...calls.map((call) => {
      const { name, input } = readToolCall(call);
      return { ...startToolUse(call.id, name), input: parseJson(input) ?? {} };
    }),
  ];
}

/** A picture that came along is data, any other an address. */
function toPicture(url: string) {
  const { mimeType, data } = readBase64(url) ?? {};
  const source =
    data === undefined || mimeType === undefined
      ? { type: "url" as const, url }
      : { type: "base64" as const, media_type: mimeType, data };
  return { type: "image" as const, source };
}

/** Clients send it back with the thought, and no one reads it. */
const signature = "c2hlYWY=";

function startToolUse(id: string, name: string) {
  return { type: "tool_use" as const, id, name, input: {}, caller: { type: "direct" as const } };
}

const stopReasons: Readonly<Record<FinishReason, NonNullable<End["stop_reason"]>>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  function_call: "tool_use",
  content_filter: "refusal",
};

/** `stopped` is the sequence that ended the text, where an engine has that. */
function toEnd(finish: FinishReason | null, stopped?: unknown, refusal?: unknown): End {
  if (finish === null) return { stop_reason: null, stop_sequence: null, stop_details: null };
  if (finish === "stop" && typeof stopped === "string") {
    return { stop_reason: "stop_sequence", stop_sequence: stopped, stop_details: null };
  }
  const explanation = typeof refusal === "string" ? refusal : null;
  const isRefusal = finish === "content_filter" || explanation !== null;
  return {
    stop_reason: isRefusal ? "refusal" : stopReasons[finish],
    stop_sequence: null,
    stop_details: isRefusal ? { type: "refusal", category: null, explanation } : null,
  };
}

/** Tokens that were read from a cache are not among the `input_tokens` of this API. */
function toUsage(usage: ReadUsage, tier: Usage["service_tier"]): Usage {
  const { prompt_tokens: prompt, cached_tokens: cached, reasoning_tokens: thinking } = usage;
  return {
    input_tokens: Math.max(0, prompt - cached),
    output_tokens: usage.completion_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    cache_creation: null,
    output_tokens_details: thinking === null ? null : { thinking_tokens: thinking },
    server_tool_use: null,
    service_tier: tier,
    inference_geo: null,
    speed: null,
  };
}

/** In place of counts that the service left out. */
function toOwnUsage(written: number, { promptTokens = 0 }: OwnCount, tier: Usage["service_tier"]): Usage {
  const usage = { prompt_tokens: promptTokens, completion_tokens: written, cached_tokens: 0, reasoning_tokens: null };
  return { ...toUsage({ ...usage, total_tokens: promptTokens + written }, tier), counted_by: "sheaf" };
}

type Opened = { readonly type: "text" | "thinking" | "image" } | { readonly type: "tool_use"; readonly call: number };

/**
 * The chunks of a chat completion as the events of a message. `promptTokens` are there before the answer's own usage, which
 * comes last.
 */
export async function* toMessageEvents(
  chunks: AsyncIterable<JsonObject>,
  promptTokens: number,
): AsyncGenerator<string, void> {
  const { counted_by: _own, ...begun } = toOwnUsage(0, { promptTokens }, "standard");
  let started = false;
  let index = -1;
  let open: Opened | null = null;
  let end = toEnd("stop");
  let usage: Usage | null = null;
  let written = "";

  function* close(): Generator<string> {
    if (open === null) return;
    if (open.type === "thinking") yield toDelta({ type: "signature_delta", signature });
    yield toEvent({ type: "content_block_stop", index });
    open = null;
  }

  function* openBlock(next: Opened, block: object): Generator<string> {
    yield* close();
    index += 1;
    open = next;
    yield toEvent({ type: "content_block_start", index, content_block: block });
  }

  const toDelta = (delta: object) => toEvent({ type: "content_block_delta", index, delta });

  function* toEvents({
    content,
    reasoning_content: thought,
    pictures,
    tool_calls: calls,
  }: ReadDelta): Generator<string> {
    if (thought) {
      if (open?.type !== "thinking") {
        yield* openBlock({ type: "thinking" }, { type: "thinking", thinking: "", signature: "" });
      }
      yield toDelta({ type: "thinking_delta", thinking: thought });
    }
    if (content) {
      if (open?.type !== "text") yield* openBlock({ type: "text" }, { type: "text", text: "" });
      yield toDelta({ type: "text_delta", text: content });
    }
    for (const { index: call, id, name, input } of calls) {
      if (open?.type !== "tool_use" || open.call !== call) {
        yield* openBlock({ type: "tool_use", call }, startToolUse(id ?? `call_${call}`, name));
      }
      if (input) yield toDelta({ type: "input_json_delta", partial_json: input });
    }
    for (const url of pictures) {
      yield* openBlock({ type: "image" }, toPicture(url));
      yield* close();
    }
  }

  for await (const chunk of readChunks(chunks)) {
    if (!started) {
      started = true;
      yield toEvent({ type: "message_start", message: { ...startMessage(chunk.id, chunk.model), usage: begun } });
      yield toEvent({ type: "ping" });
    }
    const [choice] = chunk.choices;
    if (choice !== undefined) {
      yield* toEvents(choice.delta);
      written += `${choice.delta.reasoning_content ?? ""}${choice.delta.content ?? ""}`;
      if (choice.finish_reason !== null) end = toEnd(choice.finish_reason, choice.stop_reason);
    }
    if (chunk.usage) usage = toUsage(chunk.usage, "standard");
  }
  yield* close();
  const {
    cache_creation: _,
    service_tier: _tier,
    inference_geo: _geo,
    speed: _speed,
    ...counts
  } = usage ?? toOwnUsage(countWritten({ content: written, reasoning_content: null }), { promptTokens }, "standard");
  yield toEvent({ type: "message_delta", delta: { ...end, container: null }, usage: counts });
  yield toEvent({ type: "message_stop" });
}

function toEvent(event: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Our codes that this API has as well. */
const sharedCodes = [
  "thread_not_found",
  "thread_already_continued",
  "thread_continue_in_flight",
  "file_not_downloadable",
] as const;

/** An error in the shape of this API. */
export function toAnthropicError({ error }: ErrorBody, status: number, requestId: string | null): AnthropicError {
  const type = errorTypes[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  const code = sharedCodes.find((one) => one === error.code);
  const details = code === undefined ? {} : { details: { error_code: code } };
  return { type: "error", error: { type, message: error.message, ...details }, request_id: requestId };
}
