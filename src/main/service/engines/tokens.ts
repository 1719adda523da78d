import { countTokens as countPlainTokens, decode, encode } from "gpt-tokenizer/encoding/o200k_base";
import type { ChatMessage } from "#contract";

/** What looks like a special token in a text of a user is text like any other. */
const asText = { disallowedSpecial: new Set<string>() };

/**
 * The merge of one word takes time that grows with the square of its length, so that a megabyte without a space would
 * hold the process for minutes. Longer runs than any word has are therefore counted in pieces of this many characters.
 */
const longestRun = 512;
const longRuns = new RegExp(`[\\p{L}\\p{M}]{${longestRun}}|[^\\s\\p{L}\\p{N}]{${longestRun}}|\\s{${longestRun}}`, "gu");

function splitLongRuns(text: string): string[] {
  if (text.length < longestRun) return [text];
  const pieces: string[] = [];
  let start = 0;
  for (const run of text.matchAll(longRuns)) {
    const end = run.index + run[0].length;
    pieces.push(text.slice(start, end));
    start = end;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** Tokens of a text in the o200k_base encoding; exact but for runs of more than 512 letters, signs or spaces. */
export function countTokens(text: string): number {
  let total = 0;
  for (const piece of splitLongRuns(text)) total += countPlainTokens(piece, asText);
  return total;
}

/** The text of a message: its content, or that of its text parts joined; empty when it has none. */
export function messageText(message: ChatMessage): string {
  const { content } = message;
  if (content === null || content === undefined) return "";
  return typeof content === "string" ? content : content.map((part) => part.text).join("");
}

/** What messages cost beside their text (the compatible API's rule). Every role's name is one token. */
const tokensPerMessage = 3;
const tokensPerRole = 1;
const tokensPerName = 1;
const tokensOfAnswerStart = 3;

/** Tokens of a chat prompt: every message's role, text and overhead, and the start of the answer. */
export function countPromptTokens(messages: readonly ChatMessage[]): number {
  let total = tokensOfAnswerStart;
  for (const message of messages) {
    total += tokensPerMessage + tokensPerRole + countTokens(messageText(message));
    if (typeof message.name === "string") total += tokensPerName + countTokens(message.name);
  }
  return total;
}

export interface CutText {
  readonly text: string;
  readonly tokens: number;
  readonly cut: boolean;
}

/** Makes a text that has exactly `limit` tokens out of a longer one; characters stay whole. A shorter one stays as it is. */
export function cutToTokens(text: string, limit: number): CutText {
  const total = countTokens(text);
  if (total <= limit) return { text, tokens: total, cut: false };

  const tokens = splitLongRuns(text).flatMap((piece) => encode(piece, asText));
  let kept = decode(tokens.slice(0, limit));
  // The package's decoder keeps the bytes of a half character for its next call: the rest takes them out again.
  decode(tokens.slice(limit));

  while (countTokens(kept) > limit) kept = [...kept].slice(0, -1).join("");
  // A character of several tokens that did not fit leaves a gap; a short word of one token each fills it.
  while (countTokens(kept) < limit) kept += " on";
  return { text: kept, tokens: limit, cut: true };
}
