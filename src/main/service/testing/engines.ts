import { streamReply } from "../engines/index.ts";
import type { Engine, EngineCall, EngineReply } from "../ports.ts";

/** A plain answer to a call: it repeats the last message. */
export function replyTo({ request }: EngineCall): EngineReply {
  const content = `Answer to: ${JSON.stringify(request.messages.at(-1)?.content)}`;
  return {
    statusCode: 200,
    body: {
      id: "chatcmpl-test",
      object: "chat.completion",
      created: 1_767_225_600,
      model: request.model,
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
    },
  };
}

/** An engine that answers as it is told, at once unless that takes its time. */
export function createTestEngine(
  answer: (call: EngineCall) => EngineReply | Promise<EngineReply> = replyTo,
  concurrency = 8,
): Engine {
  return {
    description: "test",
    concurrency,
    complete: async (call) => answer(call),
    stream: async (call) => streamReply(await answer(call), call.request),
  };
}

/** An engine whose calls wait until the test answers them. */
export interface HeldEngine extends Engine {
  /** The calls that wait, in the order in which they came. */
  readonly waiting: readonly EngineCall[];
  /** Resolves when at least `count` calls wait. */
  arrived(count: number): Promise<void>;
  /** Answers the first `count` calls that wait, or all of them. */
  release(count?: number): void;
}

export function createHeldEngine(concurrency = 4): HeldEngine {
  const held: { call: EngineCall; settle: () => void }[] = [];
  let watchers: { count: number; resolve: () => void }[] = [];

  function drop(call: EngineCall): void {
    const at = held.findIndex((entry) => entry.call === call);
    if (at !== -1) held.splice(at, 1);
  }

  function hold(call: EngineCall): Promise<EngineReply> {
    const { promise, resolve, reject } = Promise.withResolvers<EngineReply>();
    held.push({ call, settle: () => resolve(replyTo(call)) });
    call.signal.addEventListener("abort", () => {
      drop(call);
      reject(call.signal.reason);
    });
    const ready = watchers.filter(({ count }) => held.length >= count);
    watchers = watchers.filter(({ count }) => held.length < count);
    for (const watcher of ready) watcher.resolve();
    return promise;
  }

  return {
    description: "test, held",
    concurrency,
    get waiting() {
      return held.map(({ call }) => call);
    },
    complete: hold,
    stream: async (call) => streamReply(await hold(call), call.request),
    async arrived(count) {
      if (held.length >= count) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      watchers.push({ count, resolve });
      await promise;
    },
    release(count = held.length) {
      for (const { settle } of held.splice(0, count)) settle();
    },
  };
}
