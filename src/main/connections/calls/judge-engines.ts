import { isAnswered, readBill, readTokens } from "#main/answers";
import type { Clock, Connections, Engine, EngineCall, EngineReply } from "#main/base";
import { asObject, ServiceError } from "#main/base";
import { passingStatuses, readAskedWait, waitAsAsked } from "#main/engines";
import type { AnsweredCall } from "#main/results";

/** The engines of connections, for models that judge and grade. */
export interface JudgeEngines {
  /**
   * Asks a connection's models one by one, as the connection is at each call. A call is sent again when the time is over that
   * the service asks to wait, and after what passes. It rejects with a ServiceError when the connection can't answer: that is
   * no statement about what is judged.
   */
  at(connectionId: string): Engine;
  /** What its calls go through. Rejects with a ServiceError when it is gone. */
  open(connectionId: string): Promise<Engine>;
}

/** Waits between the attempts of a call where the service names no time, in milliseconds. */
const delays = [1_000, 2_000, 4_000];

/** `onAnswer`: what each call used that was answered, or whose tokens were counted all the same. The engine awaits it. */
export function createJudgeEngines(
  connections: Connections | undefined,
  clock: Clock,
  onAnswer: (call: AnsweredCall) => Promise<void>,
): JudgeEngines {
  async function open(connectionId: string): Promise<Engine> {
    const target = (await connections?.open(connectionId, true)) ?? null;
    if (target?.kind === "engine") return target.engine;
    const message = "The connection is gone. Choose another one for the model.";
    throw new ServiceError("invalid_value", message, "connectionId");
  }

  async function complete(engine: Pick<Engine, "complete">, call: EngineCall): Promise<EngineReply> {
    for (let attempt = 0; ; attempt++) {
      const reply = await engine.complete(call);
      const reason = "unavailable" in reply ? reply.unavailable : undefined;
      if (reason === undefined) return reply;
      const isTriedAgain = passingStatuses.has(reply.statusCode) && readAskedWait(reply) === null;
      const delay = isTriedAgain ? delays[attempt] : undefined;
      if (delay === undefined) throw new ServiceError("invalid_value", reason, "connectionId");
      call.onSent?.(false);
      await clock.sleep(delay, call.signal);
    }
  }

  return {
    open,
    at(connectionId) {
      const asked = waitAsAsked(
        { complete: async (call: EngineCall) => (await open(connectionId)).complete(call) },
        clock,
      );
      return {
        description: "a connection",
        concurrency: 1,
        async complete(call) {
          const reply = await complete(asked, call);
          const used = readUsed(reply);
          if (used !== null) await onAnswer({ connectionId, model: call.request.model, ...used });
          return reply;
        },
        stream: async (call) => (await open(connectionId)).stream(call),
      };
    },
  };
}

/** Null for a call that used nothing. */
function readUsed(reply: EngineReply): Omit<AnsweredCall, "connectionId" | "model"> | null {
  const body = asObject(reply.body);
  const { prompt, completion, cached_tokens: cachedTokens } = readTokens(body.usage);
  if (!isAnswered(reply) && prompt === null) return null;
  return { promptTokens: prompt, cachedTokens, completionTokens: completion, bill: readBill(body) };
}
