import type { DraftContent } from "./draft-content.ts";

const typedFields = ["name", "customId", "temperature", "maxCompletionTokens"] as const;

/**
 * The one field in which two states differ, when it is one that is typed into, so that the keystrokes of one
 * go can be undone together. Null for everything else: such a change is a step of its own.
 */
export function findTypedField(past: DraftContent, current: DraftContent): string | null {
  const fields = Object.keys(current) as (keyof DraftContent)[];
  const changed = fields.filter((field) => past[field] !== current[field]);
  const [field] = changed;
  if (changed.length !== 1 || field === undefined) return null;
  if (field === "messages") return findTypedMessage(past, current);
  return typedFields.find((typed) => typed === field) ?? null;
}

function findTypedMessage(past: DraftContent, current: DraftContent): string | null {
  if (past.messages.length !== current.messages.length) return null;
  const changed = current.messages.filter((message, index) => past.messages[index] !== message);
  const [message] = changed;
  if (changed.length !== 1 || message === undefined) return null;
  const before = past.messages[current.messages.indexOf(message)];
  return before?.key === message.key && before.role === message.role ? `message ${message.key}` : null;
}
