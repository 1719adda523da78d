import { type ChatMessage, messageText } from "#contract";
import { countTokens } from "../tokens/index.ts";

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
