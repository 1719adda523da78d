import { isUtf8 } from "node:buffer";
import { cellText, type JsonObject, parseJsonObject } from "./json-cells.ts";
import type { Line } from "./lines.ts";

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

/** The object's cells in the order of the columns; a key that is missing is an empty cell. */
export function cellsOf(object: JsonObject, columns: readonly string[]): string[] {
  return columns.map((column) => (Object.hasOwn(object, column) ? cellText(object[column]) : ""));
}

/** True for a line that says nothing. */
export function isBlank({ bytes }: Line): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
