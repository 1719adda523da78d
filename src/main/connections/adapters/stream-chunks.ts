import type { ChatRequest } from "#contract";
import { asObject, type JsonObject, listObjects } from "#main/base";

/** A chunk that adds to the message of one choice of an answer. */
export function toChunk({ id, created, model }: JsonObject, delta: JsonObject, index = 0): JsonObject {
  const choices = [{ index, delta, finish_reason: null }];
  return { id, created, model, object: "chat.completion.chunk", choices };
}

/**
 * The last chunks of a stream whose text is out, from the whole answer: calls of tools, pictures and finish reason of each
 * choice, and the usage where the request asks for it and the service counted.
 */
export function* endStream(
  { id, created, model, choices, usage }: JsonObject,
  request: ChatRequest,
): Generator<JsonObject, void> {
  const common = { id, created, model, object: "chat.completion.chunk" };
  for (const { index, message, finish_reason } of listObjects(choices)) {
    const { tool_calls: calls, images } = asObject(message);
    const delta = {
      ...(calls !== undefined && { tool_calls: listObjects(calls).map((call, at) => ({ ...call, index: at })) }),
      ...(images !== undefined && { images }),
    };
    yield { ...common, choices: [{ index, delta, finish_reason }] };
  }
  if (request.stream_options?.include_usage === true && usage !== undefined) yield { ...common, choices: [], usage };
}
