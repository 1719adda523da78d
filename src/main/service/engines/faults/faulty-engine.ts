import type { Clock, Engine, EngineCall, EngineReply } from "../../ports.ts";
import type { Faults } from "./faults.ts";

/** The engine as batches meet it: with the faults that act on their lines. Those of direct calls are the HTTP server's. */
export function createFaultyEngine(engine: Engine, faults: Faults, clock: Clock): Engine {
  async function strike(call: EngineCall, line: NonNullable<EngineCall["line"]>): Promise<EngineReply> {
    const { latency_ms: latency } = faults.settings;
    const failure = faults.replyTo(faults.strikeLine(line));
    if (latency > 0) await clock.sleep(latency, call.signal);
    return failure ?? engine.complete(call);
  }

  return {
    get description() {
      return engine.description;
    },
    get concurrency() {
      return engine.concurrency;
    },
    complete(call) {
      const { line } = call;
      return line === null || !faults.actOn("lines") ? engine.complete(call) : strike(call, line);
    },
    stream: (call) => engine.stream(call),
  };
}
