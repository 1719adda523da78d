import { isJsonObject, type JsonObject } from "#main/answers";

/** A value of one column. A number is one that prints as it was written; any other keeps its text. */
export type Cell = string | number | boolean | null | NumberText;

/** A number whose text has more in it than the value: beyond 2^53, with zeros at its end … */
export interface NumberText {
  readonly number: string;
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
    if (depth < deepest && isJsonObject(value)) walkObject(value, found, path, depth + 1);
    else found(path, value);
  }
}

/** A value of an answer as a cell: lists and objects are JSON text. */
export function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.isRawJSON(value) ? { number: value.rawJSON } : JSON.stringify(value);
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
