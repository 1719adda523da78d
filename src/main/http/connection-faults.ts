import type { FastifyReply } from "fastify";
import type { HttpApp } from "./http-app.ts";

/** Ends the connection of a request before the first byte of an answer: its client sees ECONNRESET. */
export function resetConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.request.raw.socket.resetAndDestroy();
}

/** Requests that are never answered. Their connections end with the server, unless their clients leave before. */
export function createHangingRequests(app: HttpApp): (reply: FastifyReply) => void {
  const hanging = new Set<FastifyReply>();
  app.addHook("preClose", (done) => {
    for (const { raw } of hanging) raw.destroy();
    done();
  });
  return (reply) => {
    const { raw: body, inflated } = reply.request;
    reply.hijack();
    hanging.add(reply);
    reply.raw.once("close", () => hanging.delete(reply));
    // Unread input would keep it from being seen that the client has left.
    body.unpipe();
    inflated?.destroy();
    body.resume();
  };
}
