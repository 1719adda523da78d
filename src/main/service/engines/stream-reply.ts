import type { ChatRequest } from "#contract";
import type { EngineReply, EngineStream } from "../ports.ts";
import { toChunks } from "./to-chunks.ts";

/** A whole answer as a stream whose chunks are there at once; an error stays what it is. */
export function streamReply(reply: EngineReply, request: ChatRequest): EngineStream {
  const { body } = reply;
  if (!("choices" in body)) return { ...reply, body };
  return { statusCode: 200, chunks: iterate(() => toChunks(body, request)) };
}

async function* iterate<T>(start: () => Iterable<T>): AsyncGenerator<T, void> {
  yield* start();
}
