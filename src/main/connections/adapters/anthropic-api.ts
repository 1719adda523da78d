import { z } from "zod";
import type { ChatCompletionChunk } from "#contract";
import type { UpstreamApi } from "#main/engines";
import { fromAnthropic, toAnthropic } from "#main/requests";
import { parseJson } from "#main/storage";
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

const objectSchema = z.record(z.string(), z.unknown());

const blockIndex = z.int().min(0).max(10_000);

/** The events that are read; others, such as `ping`, are ignored. */
const eventSchema = z.union([
  z.object({ type: z.literal("message_start"), message: z.looseObject({ id: z.string(), model: z.string() }) }),
  z.object({ type: z.literal("content_block_start"), index: blockIndex, content_block: objectSchema }),
  z.object({
    type: z.literal("content_block_delta"),
    index: blockIndex,
    delta: z.object({
      text: z.string().optional(),
      thinking: z.string().optional(),
      partial_json: z.string().optional(),
    }),
  }),
  z.object({ type: z.literal("message_delta"), delta: objectSchema, usage: objectSchema }),
  z.object({ type: z.literal("message_stop") }),
  z.object({ type: z.literal("error"), error: z.object({ message: z.string() }) }),
]);

/** Text goes out as it comes; the rest is read from the whole message, which is put together on the way. */
async function* readAnthropicStream(
  events: AsyncIterable<string>,
  { created, request }: Parameters<UpstreamApi["readStream"]>[1],
): AsyncGenerator<ChatCompletionChunk, void> {
  let message: Record<string, unknown> & { id: string; model: string } = { id: "", model: request.model };
  const blocks: Record<string, unknown>[] = [];
  const inputs: string[] = [];
  for await (const data of events) {
    const { data: event } = eventSchema.safeParse(parseJson(data));
    switch (event?.type) {
      case "message_start":
        message = event.message;
        yield toChunk({ id: message.id, created, model: message.model }, { role: "assistant", content: "" });
        break;
      case "content_block_start":
        blocks[event.index] = event.content_block;
        break;
      case "content_block_delta": {
        const { text, thinking, partial_json: input = "" } = event.delta;
        inputs[event.index] = (inputs[event.index] ?? "") + input;
        const delta = { ...(text ? { content: text } : {}), ...(thinking ? { reasoning_content: thinking } : {}) };
        if (text || thinking) yield toChunk({ id: message.id, created, model: message.model }, delta);
        break;
      }
      case "message_delta":
        message = {
          ...message,
          ...event.delta,
          usage: { ...objectSchema.catch({}).parse(message.usage), ...event.usage },
        };
        break;
      case "message_stop": {
        const content = blocks.map((block, at) => ({
          ...block,
          ...(inputs[at] ? { input: parseJson(inputs[at]) } : {}),
        }));
        const whole = fromAnthropic({ ...message, content }, created);
        if (whole === null) break;
        yield* endStream(whole, request);
        return;
      }
      case "error":
        throw new Error(event.error.message);
      case undefined:
    }
  }
  throw new Error("The service's stream broke off before its end.");
}
