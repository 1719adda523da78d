import { endOfJsonString } from "#contract";

/**
 * JSON text indented by two spaces. Everything else stays as it was written: numbers, escapes, the order of keys and keys that
 * are there twice. A text that is not JSON is returned as it is.
 */
export function indentJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const pieces: string[] = [];
  let depth = 0;
  const breakLine = () => pieces.push("\n", "  ".repeat(depth));
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    at = end;
    if (isSpace(token)) continue;
    if (token === "}" || token === "]") {
      depth -= 1;
      breakLine();
    }
    pieces.push(token);
    if (token === "{" || token === "[") {
      const next = skipSpace(text, at);
      if (text[next] === "}" || text[next] === "]") {
        pieces.push(text[next] ?? "");
        at = next + 1;
        continue;
      }
      depth += 1;
      breakLine();
    } else if (token === ",") breakLine();
    else if (token === ":") pieces.push(" ");
  }
  return pieces.join("");
}

/** Where a string, a number or word, or a mark ends that begins at a place; white space is one character at a time. */
function endOfToken(text: string, start: number): number {
  if (text[start] === '"') return endOfJsonString(text, start);
  let end = start;
  while (/[\w.+-]/.test(text[end] ?? "")) end += 1;
  return Math.max(end, start + 1);
}

function isSpace(token: string): boolean {
  return token === " " || token === "\n" || token === "\r" || token === "\t";
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text[at] ?? "")) at += 1;
  return at;
}
