import { endOfJsonString } from "#contract";
import { parseJson } from "#main/storage";

/** A value of one column. A number is one that prints as it was written; any other keeps its text. */
export type Cell = string | number | boolean | null | NumberText;

/** A number whose text has more in it than the value: beyond 2^53, with zeros at its end … */
export interface NumberText {
  readonly number: string;
}

/** What Node has of JSON, and TypeScript's library does not yet. */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** Only such a text may have a number that prints otherwise than it was written: a long one, `1.50`, `1e3`, `-0` … */
const mayHaveNumberTexts = /\d[.\d]{15}|\.\d*0(?!\d)|\d[eE]|-0(?![.\d])|0\.000000/;
const number = /-?\d[\d.eE+-]*/y;

/** Whether JSON has a number that prints otherwise than it was written. */
function hasNumberTexts(text: string): boolean {
  if (!mayHaveNumberTexts.test(text)) return false;
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

function parseExactly(text: string): unknown {
  if (!hasNumberTexts(text)) return parseJson(text);
  try {
    return json.parse(text, (_key, value, { source }) =>
      typeof value === "number" && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
    );
  } catch {
    return undefined;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object that an answer is, also where the model has put a fence of Markdown around it; null for any other answer. */
export function parseAnswer(answer: string): JsonObject | null {
  const text = /^\s*```(?:json)?\s*\n(?<json>[\s\S]*?)\n?```\s*$/.exec(answer)?.groups?.json ?? answer;
  if (!/^\s*\{/.test(text)) return null;
  const value = parseExactly(text);
  return isObject(value) ? value : null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !json.isRawJSON(value);
}

/** Inner objects become columns of their own down to here; deeper ones are text. */
const deepest = 4;

/** Calls `found` with each value of an object that is none itself, and with its path: `score`, `address.city`. */
export function walkObject(
  object: JsonObject,
  found: (path: string, value: unknown) => void,
  prefix = "",
  depth = 1,
): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    const path = prefix === "" ? key : `${prefix}.${key}`;
    if (depth < deepest && isObject(value)) walkObject(value, found, path, depth + 1);
    else found(path, value);
  }
}

/** The value at a path of `walkObject`; also a list's, by its number. Undefined where there is none. */
export function valueAt(object: JsonObject, path: string): unknown {
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const key = path.slice(0, dot);
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    if (typeof inner !== "object" || inner === null || json.isRawJSON(inner)) continue;
    const value = valueAt(inner as JsonObject, path.slice(dot + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A value of an answer as a cell: lists and objects are JSON text. */
export function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return json.isRawJSON(value) ? { number: value.rawJSON } : JSON.stringify(value);
}

/** A cell as text; empty for none. */
export function textOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  return typeof cell === "object" ? cell.number : String(cell);
}

const exactDigits = 15;

/** Whether every spreadsheet reads a number's text back as the same number. */
export function isExactNumber(text: string): boolean {
  const [mantissa = ""] = text.split(/[eE]/);
  return mantissa.replace(/^[-+]?0*\.?0*|\./g, "").length <= exactDigits && Number.isFinite(Number(text));
}

/** Whether a double prints as the number that a text is, however that writes it: `1.50` and `1e3` do. */
export function isDouble(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && toDigits(String(value)) === toDigits(text);
}

/** The digits of a number and where its decimal point is, for any way to write it. */
function toDigits(text: string): string {
  const [, sign = "", whole = "", decimals = "", exponent = "0"] =
    /^(-?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${decimals}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - decimals.length + digits.length - significant.length}`;
}

const integer = /^-?\d+$/;
const [smallestInteger, largestInteger] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Whether a number's text is an integer of 64 bits. */
export function isInteger64(text: string): boolean {
  if (!integer.test(text)) return false;
  if (text.length <= 18) return true;
  const value = BigInt(text);
  return value >= smallestInteger && value <= largestInteger;
}

/** Whether text is a number, and nothing else: it prints as it was written. `007` and `1.10` are text. */
export function isNumberText(text: string): boolean {
  return text.length <= exactDigits + 2 && /^-?\d/.test(text) && String(Number(text)) === text;
}
