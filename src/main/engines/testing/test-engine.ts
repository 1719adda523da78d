import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import {
  type ChatCompletion,
  type ChatRequest,
  chatCompletionChunkSchema,
  chatCompletionSchema,
  type ErrorBody,
  errorBodySchema,
} from "#contract";
import type { Clock, Engine, Ids } from "#main/base";
import { createManualClock } from "#main/base";
import { createModelCatalog } from "#main/requests";
import { createMockEngine } from "../mock/mock-engine.ts";
import type { Pace } from "../mock/pace.ts";

const catalog = createModelCatalog("standard");

/** A clock that only notes how long it was asked to sleep. */
export function createNotingClock() {
  const slept: number[] = [];
  const clock: Clock = {
    ...createManualClock(1_700_000_000_123),
    sleep: async (delay, signal) => {
      signal?.throwIfAborted();
      slept.push(delay);
      if (signal === undefined) return;
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        queueMicrotask(resolve);
      });
    },
  };
  return { clock, slept };
}

function createCountingIds(): Ids {
  let last = 0;
  return { create: (kind) => `${kind}_${++last}` };
}

export function createEngine(options: { pace?: Pace; seed?: number; clock?: Clock } = {}): Engine {
  const { pace = "instant", seed = 1, clock = createNotingClock().clock } = options;
  return createMockEngine({ pace, seed, clock, ids: createCountingIds(), catalog });
}

export async function complete(engine: Engine, request: ChatRequest, signal = new AbortController().signal) {
  const reply = await engine.complete({ request, requestId: "req_1", line: null, signal });
  expect(reply.statusCode).toBe(200);
  return chatCompletionSchema.parse(reply.body);
}

/** The error that a request which can't be served gets. */
export async function fail(engine: Engine, request: ChatRequest, status: number): Promise<ErrorBody["error"]> {
  const { signal } = new AbortController();
  const reply = await engine.complete({ request, requestId: "req_1", line: null, signal });
  expect(reply.statusCode).toBe(status);
  return errorBodySchema.parse(reply.body).error;
}

/** All chunks of an answer. */
export async function stream(engine: Engine, request: ChatRequest, signal = new AbortController().signal) {
  const reply = await engine.stream({ request, requestId: "req_1", line: null, signal });
  if (!("chunks" in reply)) throw new Error(reply.body.error.message);
  return (await Array.fromAsync(reply.chunks)).map((chunk) => chatCompletionChunkSchema.parse(chunk));
}

export const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
export const ask = (content: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model,
  messages: [{ role: "user", content }],
  ...more,
});
export const textOf = (completion: ChatCompletion) => completion.choices[0]?.message.content ?? "";
export const countPlain = (text: string) => countTokens(text, { disallowedSpecial: new Set() });
