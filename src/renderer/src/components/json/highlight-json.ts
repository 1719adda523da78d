import { endOfJsonString } from "#contract";

/** A piece of JSON text and what it is. */
export interface JsonToken {
  readonly kind: "key" | "string" | "number" | "word" | "plain";
  readonly text: string;
}

const pattern = /"|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>true|false|null)/g;

/** Cuts one line of JSON text into pieces to colour. The pieces joined are the line again, whatever it holds. */
export function highlightJson(line: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let at = 0;
  const put = (kind: JsonToken["kind"], end: number) => {
    if (end > at) tokens.push({ kind, text: line.slice(at, end) });
    at = end;
  };
  for (pattern.lastIndex = 0; ; pattern.lastIndex = at) {
    const match = pattern.exec(line);
    if (match === null) break;
    put("plain", match.index);
    if (match[0] !== '"') {
      put(match.groups?.number === undefined ? "word" : "number", at + match[0].length);
      continue;
    }
    const end = endOfJsonString(line, at);
    const isKey = /^\s*:/.test(line.slice(end, end + 100));
    put(isKey ? "key" : "string", end);
  }
  put("plain", line.length);
  return tokens;
}
