/** A piece of JSON text and what it is. */
export interface JsonToken {
  readonly kind: "key" | "string" | "number" | "word" | "plain";
  readonly text: string;
}

const pattern =
  /(?<string>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>true|false|null)/g;

/** Cuts one line of JSON text into pieces to colour. The pieces joined are the line again, whatever it holds. */
export function highlightJson(line: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let at = 0;
  for (const match of line.matchAll(pattern)) {
    const { string, colon, number, word } = match.groups ?? {};
    if (match.index > at) tokens.push({ kind: "plain", text: line.slice(at, match.index) });
    if (string !== undefined) tokens.push({ kind: colon === undefined ? "string" : "key", text: string });
    if (colon !== undefined) tokens.push({ kind: "plain", text: colon });
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    if (word !== undefined) tokens.push({ kind: "word", text: word });
    at = match.index + match[0].length;
  }
  if (at < line.length) tokens.push({ kind: "plain", text: line.slice(at) });
  return tokens;
}

/** JSON text indented by two spaces; a text that is not JSON as it is. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
