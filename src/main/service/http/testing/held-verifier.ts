import { EventEmitter, once } from "node:events";
import type { VerifyResult } from "#contract";
import type { Verifier, VerifyOptions } from "../../verify/index.ts";

/** A judge that takes as long as a test wants. */
export interface HeldVerifier extends Verifier {
  /** Resolves with the next call that comes in. */
  next(): Promise<HeldCall>;
}

export interface HeldCall {
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
  finish(explanation: string): void;
}

export function createHeldVerifier(): HeldVerifier {
  const calls = new EventEmitter<{ call: [HeldCall] }>();
  return {
    judge: "model",
    async next() {
      const [call] = await once(calls, "call");
      return call;
    },
    verify: ({ prompt, response }, { signal, onProgress }: VerifyOptions = {}) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        const result: VerifyResult = {
          prompt,
          response,
          is_hallucination: false,
          explanation: "",
          claims: [],
          search_results: [],
          usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
        };
        calls.emit("call", {
          signal: signal ?? new AbortController().signal,
          progress: (done, total) => onProgress?.(done, total),
          finish: (explanation) => resolve({ ...result, explanation }),
        });
      }),
  };
}
