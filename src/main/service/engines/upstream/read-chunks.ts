import type { Readable } from "node:stream";
import type { ChatCompletion, ChatCompletionChunk } from "#contract";
import { type Additions, readChunk } from "./read-answer.ts";
import { parseJson, readEvents } from "./read-body.ts";

/** The chunks of a stream. Throws when it breaks off before its `[DONE]`, or has something else in it. */
export async function* readChunks(
  body: Readable,
  additions: Additions,
  onUsage: (usage: ChatCompletion["usage"]) => void,
): AsyncGenerator<ChatCompletionChunk, void> {
  for await (const data of readEvents(body)) {
    if (data === "[DONE]") return;
    const chunk = readChunk(parseJson(data), additions);
    if (chunk === null) throw new Error("The upstream's stream has an event that is no chunk of a chat completion.");
    if (chunk.usage) onUsage(chunk.usage);
    yield chunk;
  }
  throw new Error("The upstream's stream broke off before its end.");
}
