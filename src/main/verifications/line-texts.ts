import { type ChatMessage, type DocumentChoice, messageText, type ResultDetail, type VerifyInput } from "#contract";
import { assertNever } from "#main/base";

interface LineChoice {
  readonly document: DocumentChoice;
  readonly strict: boolean;
  /** Whether the form is checked; default true. */
  readonly form?: boolean;
  readonly cell: string | null;
}

/** What is compared with what: the answer of a line, its messages, and its document. `cell` is that of the column. */
export function toVerifyInput(
  { messages, state, answer }: Pick<ResultDetail, "messages" | "state" | "answer">,
  { document: { from }, strict, form, cell }: LineChoice,
): VerifyInput {
  // Of an answer that is damaged on disk there is nothing to check.
  const response = state === "answered" ? answer : "";
  const asked = { response, strict, ...(form === false && { form }) };
  switch (from) {
    case "none":
      return { prompt: toPrompt(messages), document: null, ...asked };
    case "system_message":
      return { prompt: toPrompt(withoutSystem(messages)), document: systemTextOf(messages), ...asked };
    case "column":
      return { prompt: toPrompt(messages), document: cell, ...asked };
    default:
      return assertNever(from);
  }
}

const roleWords: Readonly<Record<ChatMessage["role"], string>> = {
  system: "System",
  developer: "Developer",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
  function: "Function",
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
function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.filter((message) => !isSystem(message));
}
