import type { Engine, EngineCall, EngineReply } from "../../base/ports.ts";
import { streamReply } from "../../engines/stream-reply.ts";

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

/** An engine that answers with a function, at once unless that takes its time. */
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
export interface ManualEngine extends Engine {
  /** The calls that wait, in the order in which they came. */
  readonly waiting: readonly EngineCall[];
  /** Resolves when at least `count` calls wait. */
  arrived(count: number): Promise<void>;
  /** Answers the first `count` calls that wait, or all of them. */
  release(count?: number): void;
}

export function createManualEngine(concurrency = 4): ManualEngine {
  const waiting: { call: EngineCall; settle: () => void }[] = [];
  let watchers: { count: number; resolve: () => void }[] = [];

  function drop(call: EngineCall): void {
    const at = waiting.findIndex((entry) => entry.call === call);
    if (at !== -1) waiting.splice(at, 1);
  }

  function wait(call: EngineCall): Promise<EngineReply> {
    const { promise, resolve, reject } = Promise.withResolvers<EngineReply>();
    waiting.push({ call, settle: () => resolve(replyTo(call)) });
    call.signal.addEventListener("abort", () => {
      drop(call);
      reject(call.signal.reason);
    });
    const ready = watchers.filter(({ count }) => waiting.length >= count);
    watchers = watchers.filter(({ count }) => waiting.length < count);
    for (const watcher of ready) watcher.resolve();
    return promise;
  }

  return {
    description: "test, manual",
    concurrency,
    get waiting() {
      return waiting.map(({ call }) => call);
    },
    complete: wait,
    stream: async (call) => streamReply(await wait(call), call.request),
    async arrived(count) {
      if (waiting.length >= count) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      watchers.push({ count, resolve });
      await promise;
    },
    release(count = waiting.length) {
      for (const { settle } of waiting.splice(0, count)) settle();
    },
  };
}
