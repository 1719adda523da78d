import type { EndpointCall, Engine } from "#main/base";
import { noEndpoint } from "./engine-error.ts";

/** An engine that can be exchanged for another while it runs. */
export interface SwitchableEngine extends Engine {
  /** Answers all calls from now on. The engine from before is closed once the calls that it has are answered. */
  switchTo(engine: Engine): void;
}

/** What answers now, and the calls that it has. */
interface Seat {
  readonly engine: Engine;
  calls: number;
}

/** A proxy of an engine that can be replaced while callers hold it. */
export function createSwitchableEngine(initial: Engine): SwitchableEngine {
  let seat: Seat = { engine: initial, calls: 0 };
  /** The ends of those that were replaced. */
  const closing = new Set<Promise<void>>();

  function closeIfIdle(left: Seat): void {
    if (left === seat || left.calls > 0) return;
    const closed = (left.engine.close?.() ?? Promise.resolve())
      .catch(() => undefined)
      .finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function leave(used: Seat): void {
    used.calls -= 1;
    closeIfIdle(used);
  }

  async function* untilEnd<T>(chunks: AsyncIterable<T>, used: Seat): AsyncGenerator<T, void> {
    try {
      yield* chunks;
    } finally {
      leave(used);
    }
  }

  return {
    get description() {
      return seat.engine.description;
    },
    get isMock() {
      return seat.engine.isMock === true;
    },
    get mayCost() {
      return seat.engine.mayCost === true;
    },
    get concurrency() {
      return seat.engine.concurrency;
    },
    complete(call) {
      const used = seat;
      const reply = used.engine.complete(call);
      // What is answered at once has no call under way.
      if (!(reply instanceof Promise)) return reply;
      used.calls += 1;
      return reply.finally(() => leave(used));
    },
    async stream(call) {
      const used = seat;
      used.calls += 1;
      try {
        const answer = await used.engine.stream(call);
        if ("chunks" in answer) return { ...answer, chunks: untilEnd(answer.chunks, used) };
        leave(used);
        return answer;
      } catch (error) {
        leave(used);
        throw error;
      }
    },
    answerEndpoint(call) {
      const used = seat;
      const reply = used.engine.answerEndpoint?.(call) ?? noEndpoint(call);
      if (!(reply instanceof Promise)) return reply;
      used.calls += 1;
      return reply.finally(() => leave(used));
    },
    get passingOn() {
      const used = seat;
      const { passingOn } = used.engine;
      if (passingOn === undefined) return undefined;
      return {
        takes: passingOn.takes,
        async answer(call: EndpointCall) {
          used.calls += 1;
          try {
            const reply = await passingOn.answer(call);
            if ("bytes" in reply) return { ...reply, bytes: untilEnd(reply.bytes, used) };
            leave(used);
            return reply;
          } catch (error) {
            leave(used);
            throw error;
          }
        },
      };
    },
    switchTo(engine) {
      const before = seat;
      if (engine === before.engine) return;
      seat = { engine, calls: 0 };
      closeIfIdle(before);
    },
    async close() {
      await seat.engine.close?.();
      await Promise.all(closing);
    },
  };
}
