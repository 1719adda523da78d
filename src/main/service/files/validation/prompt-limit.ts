import { countTokensUpTo } from "../../tokens/index.ts";

/** A UTF-16 code unit is three bytes of UTF-8 at most. */
const bytesPerUnit = 3;

/**
 * Whether the text of a prompt alone has more tokens than the context. It can't have more than bytes of UTF-8, so that
 * most need no counting. What `max_completion_tokens` asks for is not added: that is an upper bound, and an answer ends
 * where the context does.
 */
export function isOverTokens(messages: unknown, limit: number): boolean {
  const texts = Array.isArray(messages) ? messages.flatMap(textsOf) : [];
  if (sum(texts, (text) => text.length) * bytesPerUnit <= limit) return false;
  if (sum(texts, (text) => Buffer.byteLength(text)) <= limit) return false;
  let left = limit;
  for (const text of texts) {
    left -= countTokensUpTo(text, left);
    if (left < 0) return true;
  }
  return false;
}

/** The text of a message; none of what is no message, which is another problem. */
function textsOf(message: unknown): string[] {
  const content = fieldOf(message, "content");
  if (typeof content === "string") return [content];
  const parts = Array.isArray(content) ? content.map((part) => fieldOf(part, "text")) : [];
  return parts.filter((text) => typeof text === "string");
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function sum(texts: readonly string[], measure: (text: string) => number): number {
  return texts.reduce((total, text) => total + measure(text), 0);
}
