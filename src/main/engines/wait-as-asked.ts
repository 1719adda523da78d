import { isAnswered } from "#main/answers";
import type { Clock, Engine, EngineReply } from "#main/base";
import { mayPass } from "./upstream/failures.ts";

/** The longest single wait, in milliseconds: a longer one is for the user to know of. */
const longestWait = 10 * 60_000;
/** A call ends with its error after so many waits, or so many milliseconds of them. */
const most = { waits: 12, time: 30 * 60_000 };
const shortestWait = 1_000;

/**
 * An engine whose calls wait as long as the server asks, and are sent again then: no one sits in front of a model that judges a
 * batch. Meanwhile none of its other calls is sent.
 */
export function waitAsAsked<E extends Pick<Engine, "complete">>(engine: E, clock: Clock): E {
  let pausedUntil = Number.NEGATIVE_INFINITY;

  async function pass(signal: AbortSignal): Promise<void> {
    for (let wait = rest(); wait > 0; wait = rest()) await clock.sleep(wait, signal);
  }
  const rest = () => pausedUntil - clock.monotonic();

  return {
    ...engine,
    async complete(call) {
      let waited = 0;
      for (let waits = 0; ; waits++) {
        if (rest() > 0) {
          call.onSent?.(false);
          await pass(call.signal);
          call.onSent?.(true);
        }
        const reply = await engine.complete(call);
        const wait = readAskedWait(reply);
        if (wait === null || wait > longestWait || waits === most.waits || waited + wait > most.time) return reply;
        waited += wait;
        pausedUntil = Math.max(pausedUntil, clock.monotonic() + wait);
        call.onWait?.(wait);
      }
    },
  };
}

/** Milliseconds that the server asks to wait with an error that may pass; null where it names no time. */
export function readAskedWait(reply: EngineReply): number | null {
  if (isAnswered(reply) || reply.isSettled === true || !mayPass(reply.statusCode, reply.body)) return null;
  const header = reply.headers?.["retry-after"];
  return header === undefined ? null : Math.max(shortestWait, Number(header) * 1_000);
}
