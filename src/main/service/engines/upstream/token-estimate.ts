import type { ChatRequest } from "#contract";

/** Tokens of an answer, before any has been seen. */
const firstGuess = 256;
/** How much the newest answer counts for. */
const weightOfNewest = 0.1;

/** Guesses how many tokens a request will cost, from what answers had so far. */
export interface TokenEstimate {
  expect(request: ChatRequest, promptTokens: number): number;
  learn(completionTokens: number): void;
}

export function createTokenEstimate(): TokenEstimate {
  let usual: number | null = null;
  return {
    expect({ n, max_completion_tokens: limit, max_tokens: oldLimit }, promptTokens) {
      const most = limit ?? oldLimit ?? Number.POSITIVE_INFINITY;
      return promptTokens + (n ?? 1) * Math.min(most, Math.ceil(usual ?? firstGuess));
    },
    learn(completionTokens) {
      usual = usual === null ? completionTokens : usual + (completionTokens - usual) * weightOfNewest;
    },
  };
}
