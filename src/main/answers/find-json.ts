import { endOfJsonString } from "#contract";
import { parseAnswerJson } from "./exact-json.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

/** JSON in a text, and where it is. */
export interface FoundJson {
  readonly value: unknown;
  readonly range: Range;
  /** Whether it is all that the text has, but for code fences around it. */
  readonly whole: boolean;
}

/** The JSON of a text: all of it, what is between its code fences, or its first object or list. Null when it has none. */
export function findJson(text: string): FoundJson | null {
  const range = withoutFence(text);
  const value = parseAnswerJson(text.slice(range.start, range.end));
  if (value !== undefined) return { value, range, whole: true };
  return listJson(text).next().value ?? null;
}

/** Where the content is when the text is one block between code fences; the whole text, trimmed, when it is not. */
function withoutFence(text: string): Range {
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  const mark = text.slice(start, start + 3);
  const firstEnd = text.indexOf("\n", start);
  if ((mark !== "```" && mark !== "~~~") || firstEnd === -1 || end - 3 <= firstEnd) return { start, end };
  return text.slice(end - 3, end) === mark ? { start: firstEnd + 1, end: end - 3 } : { start, end };
}

/** At most so many places are tried, so that thousands of brackets cost no more than a few. */
const mostTries = 20;

/** The objects and lists in a text that are JSON and not in one another. */
export function* listJson(text: string, most = mostTries): Generator<FoundJson, undefined> {
  let at = nextBracket(text, 0);
  for (let tries = 0; at !== -1 && tries < most; tries++) {
    const end = endOfBrackets(text, at);
    if (end === null) return;
    const value = parseAnswerJson(text.slice(at, end));
    if (value !== undefined) yield { value, range: { start: at, end }, whole: false };
    at = nextBracket(text, value === undefined ? at + 1 : end);
  }
}

function nextBracket(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/);
  return found === -1 ? -1 : from + found;
}

/** Where the brackets that open at `start` are all closed, strings aside; null when they are not. */
function endOfBrackets(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charAt(at);
    if (unit === '"') {
      at = endOfJsonString(text, at) - 1;
    } else if (unit === "{" || unit === "[") depth += 1;
    else if ((unit === "}" || unit === "]") && --depth === 0) return at + 1;
  }
  return null;
}
