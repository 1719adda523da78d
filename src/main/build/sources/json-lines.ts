import { isUtf8 } from "node:buffer";
import type { Line } from "./lines.ts";

/** A JSON object from a line of text. */
export type JsonObject = Readonly<Record<string, unknown>>;

// ECMAScript's "JSON.parse source text access", which the standard library's types do not have yet.
declare global {
  interface JSON {
    /** An object that `JSON.stringify` writes as this text. */
    rawJSON(text: string): { readonly rawJSON: string };
    isRawJSON(value: unknown): boolean;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** The deepest nesting: more than any table has, and less than exhausts the stack of a recursion. */
const deepest = 1_000;

/** Whether brackets and braces are nested deeper than a value may be. */
function isTooDeep(text: string): boolean {
  if (text.length < 2 * deepest) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isText && code === 0x5c) at += 1;
    else if (code === 0x22) isText = !isText;
    else if (isText) continue;
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Numbers that JavaScript would print differently: many digits, an exponent, a zero at the end of a fraction. */
const delicateNumber = /\d{16}|\d\.\d*0(?!\d)|\d[eE]/;

function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" && source !== undefined ? JSON.rawJSON(source) : value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/**
 * Parses a line as a JSON object; null for any other value. Numbers keep the digits of the text, so that an id of twenty
 * digits is not rounded. Throws a SyntaxError where it is not JSON, or nested too deep.
 */
function parseJsonObject(text: string): JsonObject | null {
  if (isTooDeep(text)) throw new SyntaxError(`it has more than ${deepest.toLocaleString("en")} values in one another`);
  const value: unknown = delicateNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  return isObject(value) ? value : null;
}

/** The same; null also where it is not JSON. */
export function tryParseJsonObject(text: string): JsonObject | null {
  try {
    return parseJsonObject(text);
  } catch {
    return null;
  }
}

/** The text of a cell: a string as it is, null and a missing value empty, every other value as its JSON. */
function cellText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

/** A line of JSON as an object, or why it is not one. */
export type JsonLine =
  | { readonly object: JsonObject; readonly fault: null }
  | { readonly object: null; readonly fault: string };

function broken(fault: string): JsonLine {
  return { object: null, fault };
}

/** Reads one line of a JSONL file of rows. */
export function readJsonLine({ bytes, cut }: Line): JsonLine {
  if (cut) return broken("This line is longer than 8 MiB.");
  if (!isUtf8(bytes)) return broken("This line has bytes that are not UTF-8 text.");
  try {
    const object = parseJsonObject(bytes.toString("utf8"));
    return object === null ? broken("This line is not a JSON object.") : { object, fault: null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return broken(`This line is not JSON: ${error.message}.`);
  }
}

/** The value of a column in an object: of a key, or of a path of keys (`meta.lang`). */
function valueAt(object: JsonObject, column: string): unknown {
  if (Object.hasOwn(object, column)) return object[column];
  for (let dot = column.indexOf("."); dot !== -1; dot = column.indexOf(".", dot + 1)) {
    const key = column.slice(0, dot);
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    const found = isObject(inner) ? valueAt(inner, column.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The object's cells in the order of the columns; a key that is missing is an empty cell. */
export function cellsOf(object: JsonObject, columns: readonly string[]): string[] {
  return columns.map((column) => cellText(valueAt(object, column)));
}

/** The most columns that rows of JSON are given; keys beyond them are left out. */
const mostColumns = 1000;
/** An object with more keys than this is a table of its own: it stays one column, as JSON. */
const mostInnerKeys = 40;

interface KeyTree {
  readonly keys: Map<string, KeyTree>;
  /** True where the value was no object in some row: it stays one column. */
  isValue: boolean;
}

/** Collects the columns of objects, in the order in which they are first seen: keys, and paths of keys of inner objects. */
export function createColumnCollector() {
  const root: KeyTree = { keys: new Map(), isValue: false };
  let objects = 0;

  function add(tree: KeyTree, object: JsonObject): void {
    for (const [key, value] of Object.entries(object)) {
      let inner = tree.keys.get(key);
      if (inner === undefined) {
        if (tree.keys.size >= mostColumns) continue;
        inner = { keys: new Map(), isValue: false };
        tree.keys.set(key, inner);
      }
      if (isObject(value) && Object.keys(value).length > 0) add(inner, value);
      else if (value !== null) inner.isValue = true;
    }
  }

  function* paths(tree: KeyTree, path: string): Generator<string> {
    if (tree.isValue || tree.keys.size === 0 || tree.keys.size > mostInnerKeys) yield path;
    else for (const [key, inner] of tree.keys) yield* paths(inner, `${path}.${key}`);
  }

  return {
    get objects(): number {
      return objects;
    },
    add(object: JsonObject): void {
      objects += 1;
      add(root, object);
    },
    columns(): string[] {
      const all = [...root.keys].flatMap(([key, inner]) => [...paths(inner, key)]);
      return [...new Set(all)].slice(0, mostColumns);
    },
  };
}

/** True for a line with nothing but white space. */
export function isBlank({ bytes }: Line): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
