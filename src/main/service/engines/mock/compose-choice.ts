import type { AssistantMessage, ChatCompletion, ChatRequest, ChatTool, FinishReason } from "#contract";
import { countTokens } from "../../tokens/index.ts";
import { chooseTools } from "./choose-tools.ts";
import { composeCalls } from "./compose-calls.ts";
import { composeText } from "./compose-text.ts";
import { cutBelowTokens } from "./cut.ts";
import type { ComposeInstance } from "./instances/index.ts";
import { lastUserText } from "./last-message.ts";
import { composeLogprobs } from "./logprobs.ts";
import type { Random } from "./random.ts";
import { composeReasoning } from "./reasoning.ts";

type Choice = ChatCompletion["choices"][number];

/** One of the answers to a request, with what it costs. */
export interface ComposedChoice {
  readonly choice: Choice;
  /** All that the model wrote, its reasoning included. */
  readonly tokens: number;
  readonly reasoningTokens: number;
}

export interface ChoiceParts {
  /** Which of the answers to the request it is. */
  readonly index: number;
  readonly random: Random;
  /** Whether the model writes down its reasoning first. */
  readonly reasons: boolean;
  /** What makes values for JSON schemas; null when the request needs none. */
  readonly composeInstance: ComposeInstance | null;
}

/** Answers a request once: in words, in JSON or with calls of tools, whichever it asks for. */
export function composeChoice(request: ChatRequest, parts: ChoiceParts): ComposedChoice {
  const limit = Math.min(request.max_completion_tokens ?? Infinity, request.max_tokens ?? Infinity);
  if (!parts.reasons) return composeAfter(0, null, request, limit, parts);
  const whole = composeReasoning(lastUserText(request.messages), parts.random);
  const reasoning = cutBelowTokens(whole, limit);
  const tokens = countTokens(reasoning);
  if (reasoning === whole && tokens < limit) return composeAfter(tokens, reasoning, request, limit, parts);
  const choice = toChoice(parts.index, { role: "assistant", content: null, reasoning_content: reasoning }, "length");
  return { choice, tokens, reasoningTokens: tokens };
}

function composeAfter(
  reasoningTokens: number,
  reasoning: string | null,
  request: ChatRequest,
  limit: number,
  { index, random, composeInstance }: ChoiceParts,
): ComposedChoice {
  const left = limit - reasoningTokens;
  const thoughts = reasoning === null ? {} : { reasoning_content: reasoning };
  const tools: readonly ChatTool[] = composeInstance === null ? [] : chooseTools(request, random);
  if (composeInstance !== null && tools.length > 0) {
    const { calls, tokens, isCut } = composeCalls(tools, left, random, composeInstance);
    const message = { role: "assistant", content: null, ...thoughts, refusal: null, tool_calls: calls } as const;
    const choice = toChoice(index, message, isCut ? "length" : "tool_calls");
    return { choice, tokens: tokens + reasoningTokens, reasoningTokens };
  }
  const { text, tokens, isCut } = composeText(request, left, random, composeInstance);
  const choice = {
    ...toChoice(index, { role: "assistant", content: text, ...thoughts, refusal: null }, isCut ? "length" : "stop"),
    logprobs:
      request.logprobs === true
        ? { content: composeLogprobs(text, request.top_logprobs ?? 0, random), refusal: null }
        : null,
  };
  return { choice, tokens: tokens + reasoningTokens, reasoningTokens };
}

function toChoice(index: number, message: AssistantMessage, finishReason: FinishReason): Choice {
  return { index, message, logprobs: null, finish_reason: finishReason };
}
