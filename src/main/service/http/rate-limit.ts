import type { FastifyReply } from "fastify";
import { ServiceError } from "../errors.ts";
import type { Service } from "../types.ts";
import type { HttpApp } from "./app.ts";

/**
 * Holds the routes of this app to the limits of direct calls, and says on every answer how much is left of them.
 * @returns what each handler calls once its request is known to be right: a wrong one counts for nothing. The place is
 * given back when the answer is out, or its client has gone.
 */
export function holdToLimits(app: HttpApp, { realtimeGate: gate, clock }: Service): (reply: FastifyReply) => void {
  if (gate === null) return () => {};
  /** Clients wait in the time of their machine. A clock that stands still is turned on by hand: its own time is all there is. */
  const toClientTime = (milliseconds: number) => Math.ceil(milliseconds / (clock.speed || 1));

  app.addHook("onSend", (_request, reply, _payload, done) => {
    const { limit, remaining, reset } = gate.allowance();
    reply.header("x-ratelimit-limit-requests", limit);
    reply.header("x-ratelimit-remaining-requests", remaining);
    reply.header("x-ratelimit-reset-requests", formatDuration(toClientTime(reset)));
    done();
  });

  return (reply) => {
    const entry = gate.enter();
    if (!entry.admitted) {
      const seconds = Math.ceil(toClientTime(entry.retryAfter) / 1_000);
      reply.header("retry-after", seconds);
      throw new ServiceError("rate_limit_exceeded", `${entry.message} Try again in ${seconds} s.`);
    }
    if (reply.raw.closed) entry.leave();
    else reply.raw.once("close", entry.leave);
  };
}

/** As the compatible API writes it: `350ms`, `12.5s`, `1m0s`. */
function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds}ms`;
  const minutes = Math.floor(milliseconds / 60_000);
  const seconds = `${(milliseconds % 60_000) / 1_000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}
