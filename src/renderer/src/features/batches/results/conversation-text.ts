import type { ChatMessage } from "#contract";

/** A message's text: its parts are read as one string (decisions.md, Batch input line). */
export function textOfMessage({ content }: Pick<ChatMessage, "content">): string {
  if (typeof content === "string") return content;
  return content?.map(({ text }) => text).join("") ?? "";
}

const roleWords: Partial<Record<ChatMessage["role"], string>> = {
  system: "System",
  developer: "Developer",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
};

export function wordOfRole(role: ChatMessage["role"]): string {
  return roleWords[role] ?? role;
}
