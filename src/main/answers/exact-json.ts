import { endOfJsonString, isSameNumber, normalizeNumber, withoutFence } from "#contract";
import { readAnswerText } from "./answer-text.ts";

/** A number that keeps the text that it was written with, because JavaScript would write it otherwise: `1.10`, `1e400` … */
export interface RawNumber {
  readonly rawJSON: string;
}

// ECMAScript's "JSON.parse source text access", which the standard library's types do not have yet.
declare global {
  interface JSON {
    /** An object that `JSON.stringify` writes as this text. */
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of `readExactJson` is an object; a number that keeps its text is none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** Only such a text may have a number that prints otherwise than it was written: a long one, `1.50`, `1e3`, `-0` … */
const mayHaveRawNumbers = /\d[.\d]{15}|\.\d*0(?!\d)|\d[eE]|-0(?![.\d])|0\.000000/;
const number = /-?\d[\d.eE+-]*/y;

/** Whether JSON has a number that prints otherwise than it was written. Parsing with a reviver takes 25 times as long. */
function hasRawNumbers(text: string): boolean {
  if (!mayHaveRawNumbers.test(text)) return false;
  const stringOrNumber = /["\d-]/g;
  for (let found = stringOrNumber.exec(text); found !== null; found = stringOrNumber.exec(text)) {
    number.lastIndex = found.index;
    const token = number.exec(text)?.[0];
    if (token !== undefined && String(Number(token)) !== token) return true;
    stringOrNumber.lastIndex =
      found[0] === '"' ? endOfJsonString(text, found.index) : found.index + Math.max(1, token?.length ?? 0);
  }
  return false;
}

function keepText(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value;
}

/**
 * Lists and objects in one another: more than any answer needs, and fewer than exhaust the stack of a recursion. A body may have
 * 200, and the lines of files have some more around it.
 */
const mostLevels = 250;

/** Whether a JSON text has more lists and objects in one another. `JSON.parse` reads such a text, and hardly anything else does. */
export function isTooDeep(text: string, most = mostLevels): boolean {
  // Most texts have fewer brackets than that.
  if (!hasMore(text, "[", most / 2) && !hasMore(text, "{", most / 2)) return false;
  const stringOrBracket = /["[\]{}]/g;
  let depth = 0;
  for (let found = stringOrBracket.exec(text); found !== null; found = stringOrBracket.exec(text)) {
    if (found[0] === '"') stringOrBracket.lastIndex = endOfJsonString(text, found.index);
    else if (found[0] === "]" || found[0] === "}") depth -= 1;
    else if (++depth > most) return true;
  }
  return false;
}

function hasMore(text: string, character: string, count: number): boolean {
  let at = -1;
  for (let found = 0; found <= count; found += 1) {
    at = text.indexOf(character, at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** The value of a JSON text in an answer; undefined when it is not JSON, or is nested too deep to be read. */
export function parseAnswerJson(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The value of a JSON text, with numbers as they were written: one that JavaScript would print otherwise is a RawNumber. Without
 * `keepsNumbers` it is read ten times as fast.
 * @throws SyntaxError when it is not JSON, or is nested too deep to be read
 */
export function readExactJson(text: string, { most = mostLevels, keepsNumbers = true } = {}): unknown {
  if (isTooDeep(text, most))
    throw new SyntaxError(`it has more than ${most.toLocaleString("en")} values in one another`);
  return keepsNumbers && hasRawNumbers(text) ? JSON.parse(text, keepText) : JSON.parse(text);
}

/** The same; undefined where it throws. */
export function parseExactJson(text: string): unknown {
  try {
    return readExactJson(text);
  } catch {
    return undefined;
  }
}

/**
 * The value of an answer that is a JSON object or list, also in a fence of Markdown or after reasoning; undefined for any
 * other answer.
 */
export function parseAnswer(answer: string): unknown {
  const text = withoutFence(readAnswerText(answer).text);
  return /^\s*[{[]/.test(text) ? parseExactJson(text) : undefined;
}

/** The object that an answer is; null for any other. */
export function parseAnswerObject(answer: string): JsonObject | null {
  const value = parseAnswer(answer);
  return isJsonObject(value) ? value : null;
}

/** The members of an answer that is a JSON object, each as people read it; null for any other answer. */
export function readAnswerFields(answer: string): Readonly<Record<string, string>> | null {
  const object = parseAnswerObject(answer);
  return object && Object.fromEntries(Object.entries(object).map(([field, value]) => [field, printValue(value)]));
}

/**
 * The value at a path such as `address.city` or `tags.0`, where a key may have dots in it. Undefined where there is none.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null || JSON.isRawJSON(value)) return undefined;
  const members = value as JsonObject;
  if (Object.hasOwn(members, path)) return members[path];
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const key = path.slice(0, dot);
    const found = Object.hasOwn(members, key) ? valueAt(members[key], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A value of an answer as people read it: a text as it is, any other as its JSON with numbers as they were written. */
export function printValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** For `JSON.stringify`: objects with their keys in alphabetical order, so that equal values have equal texts. */
export function sortKeys(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The same with numbers that are the same decimal in one form: `1.10`, `1.1` and `11e-1` are equal. */
export function toEqualForm(key: string, value: unknown): unknown {
  return JSON.isRawJSON(value) ? toPlainNumber(value) : sortKeys(key, value);
}

/** A number that a double has room for as that; any other by its digits. */
function toPlainNumber({ rawJSON: text }: RawNumber): number | RawNumber {
  const double = Number(text);
  return isSameNumber(double, text) ? double : JSON.rawJSON(normalizeNumber(text));
}
