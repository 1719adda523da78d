import { parseBody } from "#main/answers";
import { asIndex, asObject, asText, type JsonObject } from "#main/base";
import { readData, StreamError, type UpstreamApi } from "#main/engines";
import { fromAnthropic, toAnthropic } from "#main/requests";
import { endStream, toChunk } from "./stream-chunks.ts";

/** The headers that Anthropic's API requires on every request: its version, as its client (@anthropic-ai/sdk 1.12) sends it. */
export const anthropicHeaders = { "anthropic-version": "2026-10-21" };

/** The default limit of an answer's tokens for a single question: every model accepts that. */
const usualAnswer = 4_096;

/** Anthropic's Messages API, asked one by one: requests and answers are translated as those of its batches are. */
export const anthropicApi: UpstreamApi = {
  headers: anthropicHeaders,
  write(request, { line, streamed }) {
    const isOpen = (request.max_completion_tokens ?? request.max_tokens ?? null) === null;
    // A line without a limit is an error, as in a batch: a trial shows what the batch will do.
    const translated = toAnthropic(line === null && isOpen ? { ...request, max_tokens: usualAnswer } : request);
    if ("problems" in translated) return translated;
    return { path: "/v1/messages", body: { ...translated.params, ...(streamed ? { stream: true } : {}) } };
  },
  read: (value, { created }) => fromAnthropic(value, created),
  readStream: readAnthropicStream,
};

/** Text goes out as it comes; the rest is read from the whole message, which is put together on the way. */
async function* readAnthropicStream(
  events: AsyncIterable<string>,
  { created, request }: Parameters<UpstreamApi["readStream"]>[1],
): AsyncGenerator<JsonObject, void> {
  let message: JsonObject = {};
  const blocks = new Map<number, JsonObject>();
  const inputs = new Map<number, string>();
  const common = () => ({ id: asText(message.id) ?? "", created, model: asText(message.model) ?? request.model });
  for await (const given of events) {
    // Others, such as `ping`, are ignored.
    const event = asObject(parseBody(readData(given) ?? ""));
    const index = asIndex(event.index, blocks.size);
    switch (event.type) {
      case "message_start":
        message = asObject(event.message);
        yield toChunk(common(), { role: "assistant", content: "" });
        break;
      case "content_block_start":
        blocks.set(index, asObject(event.content_block));
        break;
      case "content_block_delta": {
        const { text, thinking, partial_json: input } = asObject(event.delta);
        inputs.set(index, (inputs.get(index) ?? "") + (asText(input) ?? ""));
        const delta = {
          ...(asText(text) ? { content: asText(text) } : {}),
          ...(asText(thinking) ? { reasoning_content: asText(thinking) } : {}),
        };
        if (Object.keys(delta).length > 0) yield toChunk(common(), delta);
        break;
      }
      case "message_delta":
        message = {
          ...message,
          ...asObject(event.delta),
          usage: { ...asObject(message.usage), ...asObject(event.usage) },
        };
        break;
      case "message_stop": {
        const content = [...blocks].map(([at, block]) => ({
          ...block,
          ...(inputs.get(at) ? { input: parseBody(inputs.get(at) ?? "") } : {}),
        }));
        const whole =
          blocks.size === 0 && message.stop_reason === undefined
            ? null
            : fromAnthropic({ ...message, content }, created);
        if (whole === null) break;
        yield* endStream(whole, request);
        return;
      }
      case "error":
        throw new StreamError(
          asText(asObject(event.error).message) ?? "The service's stream ended with an error.",
          event,
        );
    }
  }
  throw new StreamError("The service's stream broke off before its end.");
}
