import type { Clock, Engine } from "../../ports.ts";
import type { Faults } from "./faults.ts";

/** The engine as batches meet it: with the faults that act on their lines. Those of direct calls are the HTTP server's. */
export function createFaultyEngine(engine: Engine, faults: Faults, clock: Clock): Engine {
  return {
    get description() {
      return engine.description;
    },
    get concurrency() {
      return engine.concurrency;
    },
    async complete(call) {
      if (call.line === null || !faults.actOn("lines")) return engine.complete(call);
      const { latency_ms: latency } = faults.settings;
      const failure = faults.replyTo(faults.strikeLine(call.line));
      if (latency > 0) await clock.sleep(latency, call.signal);
      return failure ?? engine.complete(call);
    },
    stream: (call) => engine.stream(call),
  };
}
