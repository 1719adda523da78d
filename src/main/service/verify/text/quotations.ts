import type { Range } from "../types.ts";

const closing: Readonly<Record<string, string>> = { '"': '"', "“": "”", "«": "»", "„": "“" };
const longest = 600;

/** What stands between quotation marks, without the marks. An opening mark without its partner within 600 characters opens nothing. */
export function readQuotations(text: string): readonly Range[] {
  const found: Range[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const close = closing[text.charAt(at)];
    if (close === undefined) continue;
    const end = findClose(text, at + 1, close);
    if (end === -1) continue;
    if (end > at + 1) found.push({ start: at + 1, end });
    at = end;
  }
  return found;
}

function findClose(text: string, from: number, close: string): number {
  const most = Math.min(text.length, from + longest);
  for (let at = from; at < most; at += 1) {
    const char = text.charAt(at);
    if (char === close) return at;
    if (char === "\n" && text.charAt(at + 1) === "\n") return -1;
  }
  return -1;
}
