import type { FastifyReply } from "fastify";

/**
 * Sends JSON that is written already, once all requests that came together with this one have had their turn: their answers
 * go out together, and a client with many of them is woken once.
 */
export function sendJson(reply: FastifyReply, text: string): void {
  setImmediate(() => reply.type("application/json; charset=utf-8").send(text));
}
