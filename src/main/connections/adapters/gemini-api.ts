import { z } from "zod";
import type { ChatCompletionChunk } from "#contract";
import type { UpstreamApi } from "#main/engines";
import { fromGemini, toGemini } from "#main/requests";
import { parseJson } from "#main/storage";
import { endStream, toChunk } from "./stream-chunks.ts";

/** Below the address of Gemini's API. */
export const geminiVersion = "/v1beta";

/** Gemini's generateContent, asked one by one: requests and answers are translated as those of its batches are. */
export const geminiApi: UpstreamApi = {
  write(request, { streamed }) {
    const translated = toGemini(request);
    if ("problems" in translated) return translated;
    const method = streamed ? "streamGenerateContent?alt=sse" : "generateContent";
    return { path: `${geminiVersion}/models/${encodeURIComponent(request.model)}:${method}`, body: translated.params };
  },
  read: (value, { id, created }) => fromGemini(value, id, created),
  readStream: readGeminiStream,
};

/** An event is a response that continues the one before it. */
const eventSchema = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        index: z.int().min(0).max(1_000).default(0),
        content: z.looseObject({ parts: z.array(z.looseObject({})).default([]) }).default({ parts: [] }),
        finishReason: z.string().optional(),
      }),
    )
    .default([]),
});

/** Text goes out as it comes; the rest is read from the whole response, which is put together on the way. */
async function* readGeminiStream(
  events: AsyncIterable<string>,
  { id, created, request }: Parameters<UpstreamApi["readStream"]>[1],
): AsyncGenerator<ChatCompletionChunk, void> {
  let whole: Record<string, unknown> = {};
  const candidates: z.infer<typeof eventSchema>["candidates"] = [];
  for await (const data of events) {
    const { data: event } = eventSchema.safeParse(parseJson(data));
    if (event === undefined) throw new Error("The service's stream has an event that is no response.");
    whole = { ...whole, ...event };
    for (const candidate of event.candidates) {
      const { index, content } = candidate;
      const before = candidates[index];
      const parts = [...(before?.content.parts ?? []), ...content.parts];
      candidates[index] = { ...before, ...candidate, content: { ...content, parts } };
      const piece = fromGemini({ ...event, candidates: [candidate] }, id, created);
      const { content: text, reasoning_content: reasoning } = piece?.choices[0]?.message ?? {};
      if (piece === null || !(text || reasoning)) continue;
      const role = before === undefined ? { role: "assistant" as const } : {};
      const delta = { ...role, content: text ?? "", ...(reasoning ? { reasoning_content: reasoning } : {}) };
      yield toChunk(piece, delta, index);
    }
  }
  const completion = fromGemini({ ...whole, candidates }, id, created);
  // Nothing else marks the end of a stream.
  if (completion === null || candidates.some(({ finishReason }) => finishReason === undefined)) {
    throw new Error("The service's stream broke off before its end.");
  }
  yield* endStream(completion, request);
}
