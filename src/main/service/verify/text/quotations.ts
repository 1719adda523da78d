import type { Range } from "../types.ts";

const closing: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["«", "»"],
  ["„", "“"],
]);
const opening = /["“«„]/g;
const longest = 600;

/** What stands between quotation marks, without the marks. An opening mark without its partner within 600 characters opens nothing. */
export function readQuotations(text: string): readonly Range[] {
  const found: Range[] = [];
  let next = 0;
  for (const { index, 0: mark } of text.matchAll(opening)) {
    if (index < next) continue;
    const end = findClose(text, index + 1, closing.get(mark) ?? mark);
    if (end === -1) continue;
    if (end > index + 1) found.push({ start: index + 1, end });
    next = end + 1;
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
