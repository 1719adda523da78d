import type { ChatRequest } from "#contract";
import { countTokens } from "../../tokens/index.ts";
import { type Answer, composeAnswer } from "./answer.ts";
import type { ComposeInstance } from "./compose-instance.ts";
import { cutBelowTokens, cutToTokens } from "./cut.ts";
import { lastToolText, lastUserText } from "./last-message.ts";
import type { Random } from "./random.ts";
import { cutAtStop } from "./stop.ts";

/** An answer as far as it got: `isCut` when the limit of tokens ended it. */
export interface LimitedAnswer extends Answer {
  readonly isCut: boolean;
}

/** The text of an answer, in the format that is asked for, up to a stop sequence and within `limit` tokens. */
export function composeText(
  request: ChatRequest,
  limit: number,
  random: Random,
  composeInstance: ComposeInstance,
): LimitedAnswer {
  const json = wantsJson(request) ? composeJson(request, random, composeInstance) : null;
  const whole = json === null ? answerInWords(request, random) : count(json);
  const text = cutAtStop(whole.text, request.stop);
  const stopped = text === whole.text ? whole : count(text);
  if (stopped.tokens <= limit) return { ...stopped, isCut: false };
  const cut = json === null ? cutToTokens(text, limit) : cutBelowTokens(text, limit);
  return { ...count(cut), isCut: true };
}

/** Whether the answer is JSON. */
export function wantsJson({ response_format: format }: ChatRequest): boolean {
  return format?.type === "json_object" || format?.type === "json_schema";
}

function answerInWords({ messages }: ChatRequest, random: Random): Answer {
  const result = lastToolText(messages);
  return result === null ? composeAnswer(lastUserText(messages), random) : composeAnswer(result, random, "tool");
}

function composeJson(request: ChatRequest, random: Random, composeInstance: ComposeInstance): string {
  const schema = request.response_format?.json_schema?.schema ?? null;
  const value = schema === null ? { answer: answerInWords(request, random).text } : composeInstance(schema, random);
  return JSON.stringify(value);
}

function count(text: string): Answer {
  return { text, tokens: countTokens(text) };
}
