import type { AssistantMessage, ChatCompletion, ChatRequest, FinishReason, TokenLogprob } from "#contract";
import type { EngineError } from "#main/base";
import { countPromptTokens, countTokens, splitTokens } from "#main/requests";
import { createEngineError } from "../engine-error.ts";
import { createRandom, type Random } from "../random.ts";
import { readThinkingBudget } from "../thinking-budget.ts";
import { SchemaError } from "./check-schema.ts";
import { chooseTools, composeCalls, isLegacy, listTools } from "./compose-calls.ts";
import type { ComposeInstance } from "./compose-instance.ts";
import { composeReasoning } from "./compose-prose.ts";
import { composeText, cutBelowTokens, lastUserText, wantsJson } from "./compose-text.ts";

export type Composition = Pick<ChatCompletion, "choices" | "usage">;

/**
 * All the answers to a request, and what they cost.
 * @param composeInstance makes values for JSON schemas; never called for a request that `hasSchema` knows of none
 * @throws SchemaError when a schema of the request can't be served
 */
export function composeCompletion(
  request: ChatRequest,
  start: number,
  reasons: boolean,
  composeInstance: ComposeInstance,
): Composition {
  const random = createRandom(start);
  const composed = Array.from({ length: request.n ?? 1 }, (_, index) =>
    composeChoice(request, { index, random, reasons, composeInstance }),
  );
  const promptTokens = countPromptTokens(request.messages, request.model);
  const completionTokens = composed.reduce((total, { tokens }) => total + tokens, 0);
  const reasoningTokens = composed.reduce((total, each) => total + each.reasoningTokens, 0);
  return {
    choices: composed.map(({ choice }) => choice),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      ...(reasons ? { completion_tokens_details: { reasoning_tokens: reasoningTokens } } : {}),
    },
  };
}

/** Whether an answer may need values for the request's own JSON schemas. */
export function hasSchema(request: ChatRequest): boolean {
  const { response_format: format, tool_choice: choice } = request;
  if (format?.type === "json_schema" && (format.json_schema?.schema ?? null) !== null) return true;
  return choice !== "none" && listTools(request).some(({ schema }) => schema !== null);
}

/** The answer to a request that can't be served for a reason that lies in it; anything else is thrown on. */
export function describeFailure(error: unknown, request: ChatRequest): EngineError {
  const refuse = (message: string, param: string | null) =>
    createEngineError({ status: 400, message, param, code: "invalid_value" });
  if (error instanceof RangeError) return refuse("The request is nested too deeply.", null);
  if (!(error instanceof SchemaError)) throw error;
  const name = request.response_format?.json_schema?.name;
  return wantsJson(request) && name !== undefined
    ? refuse(`Invalid schema for response_format '${name}': ${error.message}.`, "response_format")
    : refuse(`Invalid schema for a function: ${error.message}.`, "tools");
}

type Choice = ChatCompletion["choices"][number];

/** One of the answers to a request, with what it costs. */
interface ComposedChoice {
  readonly choice: Choice;
  /** All that the model wrote, its reasoning included. */
  readonly tokens: number;
  readonly reasoningTokens: number;
}

interface ChoiceOptions {
  /** Which of the answers to the request it is. */
  readonly index: number;
  readonly random: Random;
  /** Whether the model writes down its reasoning first. */
  readonly reasons: boolean;
  readonly composeInstance: ComposeInstance;
}

/** Answers a request once: in words, in JSON or with calls of tools, whichever it asks for. */
function composeChoice(request: ChatRequest, parts: ChoiceOptions): ComposedChoice {
  const limit = Math.min(request.max_completion_tokens ?? Infinity, request.max_tokens ?? Infinity);
  if (!parts.reasons) return composeAfter(0, null, request, limit, parts);
  const whole = composeThoughts(request, parts.random);
  const reasoning = cutBelowTokens(whole, limit);
  const tokens = countTokens(reasoning);
  if (reasoning === whole && tokens < limit) return composeAfter(tokens, reasoning, request, limit, parts);
  const choice = toChoice(parts.index, { role: "assistant", content: null, reasoning_content: reasoning }, "length");
  return { choice, tokens, reasoningTokens: tokens };
}

/** What a model thinks before it answers, within the budget that the request has for it. */
export function composeThoughts(request: ChatRequest, random: Random): string {
  const thoughts = composeReasoning(lastUserText(request.messages), random);
  const budget = readThinkingBudget(request);
  return budget > 0 ? cutBelowTokens(thoughts, budget) : thoughts;
}

function composeAfter(
  reasoningTokens: number,
  reasoning: string | null,
  request: ChatRequest,
  limit: number,
  { index, random, composeInstance }: ChoiceOptions,
): ComposedChoice {
  const left = limit - reasoningTokens;
  const thoughts = reasoning === null ? {} : { reasoning_content: reasoning };
  const tools = chooseTools(request, random);
  if (tools.length > 0) {
    const { calls, tokens, isCut } = composeCalls(tools, left, random, composeInstance);
    const common = { role: "assistant", content: null, ...thoughts, refusal: null } as const;
    const [first] = calls;
    const choice =
      isLegacy(request) && first?.type === "function"
        ? toChoice(index, { ...common, function_call: first.function }, isCut ? "length" : "function_call")
        : toChoice(index, { ...common, tool_calls: calls }, isCut ? "length" : "tool_calls");
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

type Chance = TokenLogprob["top_logprobs"][number];

const alternatives = [" the", " a", " is", " it", ",", ".", " and", " of", " to", " in", " that", " as", " for", " on"];

/**
 * How likely each token of the text was, and the `top` likeliest in its place: itself the first, each less likely than
 * the one before it, and all together less than certain.
 */
function composeLogprobs(text: string, top: number, random: Random): TokenLogprob[] {
  return splitTokens(text).map((token) => {
    const chance = 0.5 + random.next() * 0.499;
    const entry = describeChance(token, chance);
    const others = rotate(alternatives, random)
      .filter((other) => other !== token)
      .concat(fillers)
      .slice(0, Math.max(0, top - 1));
    let left = 1 - chance;
    const likeliest = others.map((other) => {
      left /= 2;
      return describeChance(other, left);
    });
    return { ...entry, top_logprobs: top === 0 ? [] : [entry, ...likeliest] };
  });
}

/** There are up to 20 likeliest tokens. */
const fillers = Array.from({ length: 20 }, (_, at) => ` ${String.fromCharCode(97 + at)}${at}`);

function describeChance(token: string, chance: number): Chance {
  return { token, logprob: Math.log(chance), bytes: [...Buffer.from(token)] };
}

function rotate(tokens: readonly string[], random: Random): string[] {
  const at = random.between(0, tokens.length - 1);
  return [...tokens.slice(at), ...tokens.slice(0, at)];
}
