import { parseJson } from "#service";

/** A value of one column. A number is one that prints as it was written; any other keeps its text. */
export type Cell = string | number | boolean | null | RawJson;

/** A number whose text says more than the value does: beyond 2^53, with zeros at its end … */
export interface RawJson {
  readonly rawJSON: string;
}

/** What Node has of JSON, and TypeScript's library not yet. */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

export const isRawJson = json.isRawJSON;

/** Only such a text may have a number that prints otherwise than it was written: a long one, `1.50`, `1e3`, `-0` … */
const mayHaveRawNumbers = /\d[.\d]{15}|\.\d*0(?!\d)|\d[eE]|-0(?![.\d])|0\.000000/;

function parseExactly(text: string): unknown {
  if (!mayHaveRawNumbers.test(text)) return parseJson(text);
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
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawJson(value);
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
  for (const [key, value] of Object.entries(object)) {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    if (depth < deepest && isObject(value)) walkObject(value, found, path, depth + 1);
    else found(path, value);
  }
}

/** The value at a path of `walkObject`; also a list's, by its number. Undefined where there is none. */
export function valueAt(object: JsonObject, path: string): unknown {
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const inner = object[path.slice(0, dot)];
    if (typeof inner !== "object" || inner === null || isRawJson(inner)) continue;
    const value = valueAt(inner as JsonObject, path.slice(dot + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A value of an answer as a cell: lists and objects are JSON text. */
export function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || isRawJson(value))
    return value;
  return JSON.stringify(value);
}

/** A cell as text; empty for none. */
export function textOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  return typeof cell === "object" ? cell.rawJSON : String(cell);
}

const exactDigits = 15;

/** Whether every spreadsheet reads a number's text back as the same number. */
export function isExactNumber(text: string): boolean {
  const [mantissa = ""] = text.split(/[eE]/);
  return mantissa.replace(/^[-+]?0*\.?0*|\./g, "").length <= exactDigits && Number.isFinite(Number(text));
}

/** Whether text is a number, and nothing else: it prints as it was written. `007` and `1.10` are text. */
export function isNumberText(text: string): boolean {
  return text.length <= exactDigits + 2 && /^-?\d/.test(text) && String(Number(text)) === text;
}
