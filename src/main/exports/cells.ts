import { isDouble } from "#contract";
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

/** The digits that spreadsheets show. */
const shownDigits = 15;
/** Of numbers nearer to zero a double has fewer digits, or none: `1e-400` is 0. */
const smallest = 2.3e-308;

/**
 * Whether spreadsheets have a number's text as the same number: one of at most 15 digits that is not too near to zero, or a
 * fraction that a double has room for. Whole numbers with more digits are ids, which people read.
 */
export function isSheetNumber(text: string): boolean {
  const [mantissa = ""] = text.split(/[eE]/);
  const digits = mantissa.replace(/^[-+]?0*\.?0*|\./g, "").length;
  if (digits <= shownDigits) {
    const number = Math.abs(Number(text));
    return Number.isFinite(number) && (digits === 0 || number >= smallest);
  }
  return !Number.isInteger(Number(text)) && isDouble(text);
}

/** A cell of a table's text as spreadsheets have it: a number as it is written, where it is one. */
export function toSheetCell(text: string): Cell {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) || text === "-0" || !isSheetNumber(text)) return text;
  return String(Number(text)) === text ? Number(text) : { number: text };
}

/** Whether a text in digits is a code and no number, as `00501` and ids of 19 digits are. */
export function isCode(text: string): boolean {
  return /^(?:0\d+|\d{16,})$/.test(text);
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
  return text.length <= shownDigits + 2 && /^-?\d/.test(text) && String(Number(text)) === text;
}
