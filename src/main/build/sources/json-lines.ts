import { isUtf8 } from "node:buffer";
import { isJsonObject, type JsonObject, printValue, readExactJson } from "#main/answers";
import { markLength } from "./detect-encoding.ts";
import type { Line } from "./lines.ts";

/** The deepest nesting: more than any table has, and less than exhausts the stack of a recursion. */
const deepest = 1_000;

/**
 * Parses a text as JSON. Numbers keep the digits of the text, so that an id of twenty digits is not rounded, unless only
 * keys are wanted: that is ten times as fast. Throws a SyntaxError where it is not JSON, or nested too deep.
 */
export function parseJson(text: string, { keysOnly = false } = {}): unknown {
  return readExactJson(text, { most: deepest, keepsNumbers: !keysOnly });
}

/** The object that a text is as JSON; null where it is none. */
export function tryParseJsonObject(text: string): JsonObject | null {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The text of a cell: a string as it is, null and a missing value empty, every other value as its JSON. */
export function cellText(value: unknown): string {
  return value === null || value === undefined ? "" : printValue(value);
}

/** A line of JSON as an object, or why it is not one. */
export type JsonLine =
  | { readonly object: JsonObject; readonly fault: null }
  | { readonly object: null; readonly fault: string };

function broken(fault: string): JsonLine {
  return { object: null, fault };
}

/** Reads one line of a JSONL file of rows; for its keys alone, numbers need not keep their digits. */
export function readJsonLine({ bytes, cut }: Line, options?: { readonly keysOnly: boolean }): JsonLine {
  if (cut) return broken("This line is longer than 8 MiB.");
  if (!isUtf8(bytes)) return broken("This line has bytes that are not UTF-8 text.");
  try {
    const object = parseJson(bytes.toString("utf8", markLength(bytes)), options);
    return isJsonObject(object) ? { object, fault: null } : broken("This line is not a JSON object.");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return broken(`This line is not JSON: ${error.message}.`);
  }
}

/** The keys that lead to the value of a column, from the outermost object on. */
export type JsonPath = readonly string[];

function valueAt(object: JsonObject, path: JsonPath): unknown {
  let value: unknown = object;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The value of a column of a table that was stored without paths: of a key, or of a path of keys (`meta.lang`). */
function findValue(object: JsonObject, column: string): unknown {
  if (Object.hasOwn(object, column)) return object[column];
  for (let dot = column.indexOf("."); dot !== -1; dot = column.indexOf(".", dot + 1)) {
    const key = column.slice(0, dot);
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    const found = isJsonObject(inner) ? findValue(inner, column.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The object's cells in the order of the columns, as texts and with their types; a key that is missing is an empty cell. */
export function cellsOf(
  object: JsonObject,
  columns: readonly string[],
  paths?: readonly JsonPath[],
): { cells: string[]; values: unknown[] } {
  const values = columns.map((column, at) => {
    const path = paths?.[at];
    return path === undefined ? findValue(object, column) : valueAt(object, path);
  });
  return { cells: values.map(cellText), values };
}

/** True for a line with nothing but white space. */
export function isBlank({ bytes }: Line): boolean {
  return bytes.subarray(markLength(bytes)).every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
