import type { ChatCompletion, ChatMessage, ChatRequest } from "#contract";
import type { Clock, Engine, EngineCall, EngineReply, Ids } from "../../ports.ts";
import { countPromptTokens, messageText } from "../prompt.ts";
import { streamReply } from "../stream-reply.ts";
import { composeAnswer } from "./answer.ts";
import { cutToTokens } from "./cut.ts";
import { concurrencyOf, describePace, drawLatency, type Pace } from "./pace.ts";
import { createRandom, deriveStarts, type Random } from "./random.ts";

export interface MockEngineOptions {
  readonly pace: Pace;
  /** Another seed gives other answers; the same seed gives the same answer to the same request. */
  readonly seed: number;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * An engine that needs no model: it answers every request in a few sentences that refer to its last user message, with
 * the token counts that such an answer has. Text, finish reason, usage and latency follow from the seed and the request.
 */
export function createMockEngine({ pace, seed, clock, ids }: MockEngineOptions): Engine {
  async function complete({ request, signal }: EngineCall): Promise<EngineReply> {
    signal.throwIfAborted();
    const { stream: _, stream_options: __, ...question } = request;
    const starts = deriveStarts(seed, question);
    const latency = drawLatency(pace, starts.pace);
    if (latency > 0) await clock.sleep(latency, signal);
    const answer = answerRequest(request, createRandom(starts.answer));
    const body: ChatCompletion = {
      id: ids.create("completion"),
      object: "chat.completion",
      created: Math.floor(clock.now() / 1_000),
      model: request.model,
      ...answer,
    };
    return { statusCode: 200, body };
  }

  return {
    description: `mock, ${describePace(pace)}, seed ${seed}`,
    concurrency: concurrencyOf(pace),
    complete,
    stream: async (call) => streamReply(await complete(call), call.request),
  };
}

function answerRequest(request: ChatRequest, random: Random): Pick<ChatCompletion, "choices" | "usage"> {
  const message = lastUserText(request.messages);
  const limit = Math.min(request.max_completion_tokens ?? Infinity, request.max_tokens ?? Infinity);
  const answers = Array.from({ length: request.n ?? 1 }, () => {
    const answer = composeAnswer(message, random);
    if (answer.tokens <= limit) return { ...answer, cut: false };
    return { text: cutToTokens(answer.text, limit), tokens: limit, cut: true };
  });
  const promptTokens = countPromptTokens(request.messages);
  const completionTokens = answers.reduce((total, answer) => total + answer.tokens, 0);
  return {
    choices: answers.map(({ text, cut }, index) => ({
      index,
      message: { role: "assistant", content: text, refusal: null },
      logprobs: null,
      finish_reason: cut ? "length" : "stop",
    })),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

/** The last user message that has text; where no user has said anything, the last message of any role. */
function lastUserText(messages: readonly ChatMessage[]): string {
  const hasText = (message: ChatMessage) => messageText(message).trim() !== "";
  const message =
    messages.findLast((candidate) => candidate.role === "user" && hasText(candidate)) ?? messages.findLast(hasText);
  return message === undefined ? "" : messageText(message);
}
