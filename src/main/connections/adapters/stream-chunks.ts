import type { ChatCompletion, ChatCompletionChunk, ChatDelta, ChatRequest } from "#contract";

type Common = Pick<ChatCompletion, "id" | "created" | "model">;

/** A chunk that adds to the message of one choice. */
export function toChunk(common: Common, delta: ChatDelta, index = 0): ChatCompletionChunk {
  return { ...common, object: "chat.completion.chunk", choices: [{ index, delta, finish_reason: null }] };
}

/**
 * The last chunks of a stream whose text is out, from the whole answer: calls of tools and finish reason of each choice, and
 * the usage where the request asks for it.
 */
export function* endStream(
  { id, created, model, choices, usage }: ChatCompletion,
  request: ChatRequest,
): Generator<ChatCompletionChunk, void> {
  const common = { id, created, model, object: "chat.completion.chunk" as const };
  for (const { index, message, finish_reason } of choices) {
    const calls = message.tool_calls?.map((call, at) => ({ ...call, index: at }));
    yield { ...common, choices: [{ index, delta: calls === undefined ? {} : { tool_calls: calls }, finish_reason }] };
  }
  if (request.stream_options?.include_usage === true) yield { ...common, choices: [], usage };
}
