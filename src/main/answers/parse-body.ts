import { isTooDeep } from "./exact-json.ts";

/** Strings, so that nothing in them is changed, and the numbers that Python writes and JSON has not. */
const literals = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;
/** An integer that may be too large for a number. */
const longInteger = /(?<![.\d])\d{16}/;

/**
 * The value of a JSON text that a service sent; undefined where it is no JSON, or is nested too deep to be read. What a number can't hold is kept all the same:
 * a long integer is written as it came, and Infinity and NaN, which some write though JSON has none, are texts.
 */
export function parseBody(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  const value = parseStrictly(text);
  return value === undefined && /Infinity|NaN/.test(text) ? parseStrictly(quoteLiterals(text)) : value;
}

function parseStrictly(text: string): unknown {
  try {
    return longInteger.test(text) ? JSON.parse(text, keepLongIntegers) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keepLongIntegers(_key: string, value: unknown, { source = "" }: { source?: string } = {}): unknown {
  const isChanged = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isChanged ? JSON.rawJSON(source) : value;
}

function quoteLiterals(text: string): string {
  return text.replaceAll(literals, (found) => (found.startsWith('"') ? found : `"${found}"`));
}
