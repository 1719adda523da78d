import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { ChatCompletionChunk } from "#contract";
import type { Logger } from "../ports.ts";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Proxies that collect an answer before they pass it on leave this one alone.
  "x-accel-buffering": "no",
};

/**
 * Sends chunks as server-sent events, the last of them `[DONE]`. When the chunks break off, so does the connection: the
 * client sees an answer without an end.
 */
export function sendEvents(
  reply: FastifyReply,
  chunks: AsyncIterable<ChatCompletionChunk>,
  signal: AbortSignal,
  logger: Logger,
): FastifyReply {
  return reply.headers(headers).send(Readable.from(toEvents(reply.request.id, chunks, signal, logger)));
}

async function* toEvents(
  requestId: string,
  chunks: AsyncIterable<ChatCompletionChunk>,
  signal: AbortSignal,
  logger: Logger,
): AsyncGenerator<string, void> {
  try {
    for await (const chunk of chunks) yield `data: ${JSON.stringify(chunk)}\n\n`;
    yield "data: [DONE]\n\n";
  } catch (error) {
    if (!signal.aborted) logger.warn("stream broke off", { requestId, error: String(error) });
    throw error;
  }
}
