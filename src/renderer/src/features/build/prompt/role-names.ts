import type { MessageRole } from "#contract";

export const roleNames: Readonly<Record<MessageRole, string>> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
};

/** What stands in an empty message. */
export const roleHints: Readonly<Record<MessageRole, string>> = {
  system: "How to answer: tone, format, what to leave out",
  user: "What to ask of each row. Type {{ for a column",
  assistant: "An answer to lead by example",
};
