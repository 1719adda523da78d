import type { ChatRequest } from "#contract";
import { asCount, isObject } from "#main/base";

/**
 * How many tokens of thoughts a request asks for, in the words of Anthropic's API (`thinking`) or of Gemini's
 * (`thinkingConfig`): infinite where it names no number, 0 where it asks for none.
 */
export function readThinkingBudget({ thinking, thinkingConfig: config }: ChatRequest): number {
  if (isObject(thinking) && thinking.type !== "disabled") return asCount(thinking.budget_tokens) ?? Infinity;
  if (!isObject(config)) return 0;
  const { thinkingBudget: budget, thinkingLevel: level, includeThoughts } = config;
  // -1 leaves it to the model.
  if (typeof budget === "number") return budget < 0 ? Infinity : budget;
  return includeThoughts === true || typeof level === "string" ? Infinity : 0;
}
