import type { Verifier } from "./types.ts";

type RulesJudge = typeof import("./rules-judge.ts").judgeByRules;

/**
 * The judge by rules as a function. It stands on dictionaries and grammars that take a while to load, so that nobody
 * waits for them who does not verify.
 */
export async function loadRulesJudge(): Promise<RulesJudge> {
  return (await import("./rules-judge.ts")).judgeByRules;
}

/** The rules as a Verifier. */
export function createRulesVerifier(): Verifier {
  return {
    judge: "rules",
    prepare() {
      loadRulesJudge().catch(() => undefined);
    },
    async verify(input, { signal, onProgress } = {}) {
      const judgeByRules = await loadRulesJudge();
      signal?.throwIfAborted();
      const result = judgeByRules(input);
      onProgress?.(result.claims.length, result.claims.length);
      return result;
    },
  };
}
