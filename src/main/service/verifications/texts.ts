import { type ChatMessage, messageText } from "#contract";

const roleWords: Readonly<Record<ChatMessage["role"], string>> = {
  system: "System",
  developer: "Developer",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
};

/** The messages of a request as one prompt: a single user message as it is, several each under the name of its role. */
export function toPrompt(messages: readonly ChatMessage[]): string {
  const [first] = messages;
  if (messages.length === 1 && first?.role === "user") return messageText(first);
  return messages.map((message) => `${roleWords[message.role]}: ${messageText(message)}`).join("\n\n");
}

const isSystem = ({ role }: ChatMessage) => role === "system" || role === "developer";

/** The text of the system messages; null when there is none. */
export function systemTextOf(messages: readonly ChatMessage[]): string | null {
  const texts = messages.filter(isSystem).map(messageText);
  return texts.length === 0 ? null : texts.join("\n\n");
}

/** The other messages: the prompt where the system message is the document. */
export function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.filter((message) => !isSystem(message));
}
