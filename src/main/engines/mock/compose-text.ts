import { type ChatMessage, type ChatRequest, messageText } from "#contract";
import { countTokens, splitTokens } from "#main/requests";
import type { Random } from "../random.ts";
import type { ComposeInstance } from "./compose-instance.ts";
import { type Answer, composeAnswer } from "./compose-prose.ts";

/** An answer as far as it got: `isCut` when the limit of tokens ended it. */
interface LimitedAnswer extends Answer {
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
  const answer =
    result === null ? composeAnswer(lastUserText(messages), random) : composeAnswer(result, random, "tool");
  const given = describeParts(messages);
  return given === null ? answer : count(`${answer.text} ${given}`);
}

const partWords = { image_url: "image", input_audio: "recording", file: "file" } as const;

/** What came with the text, which a mock can only count: `I was given 2 images and 1 file.`; null for nothing. */
function describeParts(messages: readonly ChatMessage[]): string | null {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const counts = Object.entries(partWords).flatMap(([type, word]) => {
    const found = parts.filter((part) => part.type === type).length;
    return found === 0 ? [] : [`${found} ${word}${found === 1 ? "" : "s"}`];
  });
  return counts.length === 0 ? null : `I was given ${counts.join(" and ")}.`;
}

function composeJson(request: ChatRequest, random: Random, composeInstance: ComposeInstance): string {
  const schema = request.response_format?.json_schema?.schema ?? null;
  const value = schema === null ? { answer: answerInWords(request, random).text } : composeInstance(schema, random);
  return JSON.stringify(value);
}

function count(text: string): Answer {
  return { text, tokens: countTokens(text) };
}

/**
 * Cuts a text that has more than `limit` tokens to exactly that many; characters stay whole. The text is one line of
 * words with single spaces between them: there every word begins a new token, and so the counts of words add up.
 */
export function cutToTokens(text: string, limit: number): string {
  let fitting = "";
  let left = limit;
  for (const [word] of text.matchAll(/ ?[^ ]+/g)) {
    const tokens = countTokens(word);
    if (tokens > left) {
      fitting += cutWord(word, left);
      break;
    }
    fitting += word;
    left -= tokens;
  }
  // A character of several tokens that did not fit leaves a gap; a short word of one token each fills it.
  while (countTokens(fitting) < limit) fitting += " on";
  return fitting;
}

/** The longest start of any text, in whole tokens, that has at most `limit` of them. */
export function cutBelowTokens(text: string, limit: number): string {
  if (countTokens(text) <= limit) return text;
  const tokens = splitTokens(text).slice(0, limit);
  while (countTokens(tokens.join("")) > limit) tokens.pop();
  return tokens.join("");
}

/** The longest start of a word that has at most `limit` tokens. */
function cutWord(word: string, limit: number): string {
  const characters = [...word];
  let fits = 0;
  let tooLong = characters.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (countTokens(characters.slice(0, middle).join("")) <= limit) fits = middle;
    else tooLong = middle;
  }
  return characters.slice(0, fits).join("");
}

/** The text up to the first place where one of the stop sequences begins. */
function cutAtStop(text: string, stop: string | readonly string[] | null | undefined): string {
  const sequences = (typeof stop === "string" ? [stop] : (stop ?? [])).filter((sequence) => sequence !== "");
  const starts = sequences.map((sequence) => text.indexOf(sequence)).filter((at) => at !== -1);
  return starts.length === 0 ? text : text.slice(0, Math.min(...starts));
}

/** The last user message that has text; where no user has said anything, the last message of any role. */
export function lastUserText(messages: readonly ChatMessage[]): string {
  const hasText = (message: ChatMessage) => messageText(message).trim() !== "";
  const message =
    messages.findLast((candidate) => candidate.role === "user" && hasText(candidate)) ?? messages.findLast(hasText);
  return message === undefined ? "" : messageText(message);
}

/** The result of a tool that the answer is to speak of; null when the last message is none. */
function lastToolText(messages: readonly ChatMessage[]): string | null {
  const last = messages.at(-1);
  return isToolResult(last) ? messageText(last) : null;
}

/** Whether a message is what a tool, or one of the older functions, answered. */
export function isToolResult(message: ChatMessage | undefined): message is ChatMessage {
  return message?.role === "tool" || message?.role === "function";
}
