import { findError, parseBody } from "#main/answers";
import { asIndex, asObject, isObject, type JsonObject, listObjects } from "#main/base";
import { readData, StreamError, type UpstreamApi } from "#main/engines";
import { fromGemini, toGemini } from "#main/requests";
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

/** Text goes out as it comes; the rest is read from the whole response, which is put together on the way. */
async function* readGeminiStream(
  events: AsyncIterable<string>,
  { id, created, request }: Parameters<UpstreamApi["readStream"]>[1],
): AsyncGenerator<JsonObject, void> {
  let whole: JsonObject = {};
  const candidates = new Map<number, JsonObject>();
  for await (const given of events) {
    const data = readData(given);
    if (data === null) continue;
    const event = parseBody(data);
    const error = findError(event);
    if (error !== null) throw new StreamError(error.message, asObject(event));
    if (!isObject(event)) throw new StreamError("The service's stream has an event that is no response.");
    whole = { ...whole, ...event };
    for (const [at, candidate] of listObjects(event.candidates).entries()) {
      const index = asIndex(candidate.index, at);
      const before = candidates.get(index);
      const parts = [
        ...listObjects(asObject(before?.content).parts),
        ...listObjects(asObject(candidate.content).parts),
      ];
      candidates.set(index, { ...before, ...candidate, content: { ...asObject(candidate.content), parts } });
      const piece = fromGemini({ ...event, candidates: [candidate] }, id, created);
      const [choice] = listObjects(piece?.choices);
      const { content: text, reasoning_content: reasoning } = asObject(choice?.message);
      if (piece === null || !(text || reasoning)) continue;
      const role = before === undefined ? { role: "assistant" } : {};
      const delta = { ...role, content: text ?? "", ...(reasoning ? { reasoning_content: reasoning } : {}) };
      yield toChunk(piece, delta, index);
    }
  }
  const completion = fromGemini({ ...whole, candidates: [...candidates.values()] }, id, created);
  // Nothing else marks the end of a stream.
  const isOpen = [...candidates.values()].some(({ finishReason }) => typeof finishReason !== "string");
  if (completion === null || isOpen) throw new StreamError("The service's stream broke off before its end.");
  yield* endStream(completion, request);
}
