import { type ChatMessage, messageText } from "#contract";

/** The last user message that has text; where no user has said anything, the last message of any role. */
export function lastUserText(messages: readonly ChatMessage[]): string {
  const hasText = (message: ChatMessage) => messageText(message).trim() !== "";
  const message =
    messages.findLast((candidate) => candidate.role === "user" && hasText(candidate)) ?? messages.findLast(hasText);
  return message === undefined ? "" : messageText(message);
}

/** The result of a tool that the answer is to speak of; null when the last message is none. */
export function lastToolText(messages: readonly ChatMessage[]): string | null {
  const last = messages.at(-1);
  return last?.role === "tool" ? messageText(last) : null;
}
