import type { ReadContent } from "#main/answers";
import { countTokens } from "../tokens/count-tokens.ts";

/** What is known of a call whose service counted no tokens. */
export interface OwnCount {
  /** As we count them; 0 where the request is not at hand. */
  readonly promptTokens?: number;
}

type Written = Pick<ReadContent, "content" | "reasoning_content">;

/** The tokens of what a model wrote, as we count them. */
export function countWritten({ content, reasoning_content: reasoning }: Written): number {
  return countTokens(reasoning ?? "") + countTokens(content ?? "");
}
