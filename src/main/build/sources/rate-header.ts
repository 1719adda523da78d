import { typeOf } from "./guess-types.ts";

/** How a text is written, as far as names of columns and values differ in it. */
function shapeOf(text: string): string {
  const words = text.split(/\s+/).length;
  if (words > 1) return words < 4 ? "words" : "sentence";
  if (/^[\p{Ll}\d_.-]+$/u.test(text)) return "lower";
  return /^\p{Lu}[\p{Ll}\d]*$/u.test(text) ? "capital" : "other";
}

const share = <T>(values: readonly T[], fits: (value: T) => boolean) =>
  values.length === 0 ? 0 : values.filter(fits).length / values.length;

/** A year of our time: it names a column as often as it is a value of one. */
const isYear = (text: string) => /^(19|20)\d\d$/.test(text);
const isAsked = (text: string) => /[?？:]$/.test(text);
const isEnded = (text: string) => /[.!。！]$/.test(text);

/** How much a cell looks like the name of a column with these values, below 0 like one of its values. */
function rateCell(name: string, values: readonly string[]): number {
  if (name === "" || values.length === 0) return 0;
  const type = typeOf(name);
  const same = share(values, (value) => typeOf(value) === type);
  if (type !== "text") {
    if (isYear(name) && share(values, isYear) < 0.5) return 0.5;
    if (same < 0.2) return type === "date" ? 0.5 : -0.5;
    return -2;
  }
  if (same < 0.5) return 2;
  if (values.includes(name)) return -2;
  const shape = shapeOf(name);
  const lengths = values.map(({ length }) => length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const isAlike =
    (lengths.length > 2 && new Set(lengths).size === 1 && lengths[0] !== name.length) || mean > 3 * name.length;
  return (
    (isAsked(name) ? (share(values, isAsked) < 0.3 ? 1 : -1) : 0) +
    (isEnded(name) && share(values, isEnded) > 0.5 ? -0.5 : 0) +
    (share(values, (value) => shapeOf(value) === shape) < 0.2 && shape !== "sentence" ? 0.5 : 0) +
    (isAlike ? 0.5 : 0)
  );
}

/**
 * How much the first row of a table looks like names of the columns below it: above 0 it is unlike the rows, below 0 it is
 * one of them, and 0 says nothing.
 */
export function rateHeader(header: readonly string[], rows: readonly (readonly string[])[]): number {
  const isSame = (row: readonly string[]) =>
    row.length === header.length && row.every((cell, at) => cell === header[at]);
  // Files that were joined have their header several times.
  const others = rows.filter((row) => !isSame(row));
  const rates = header.map((name, at) =>
    rateCell(
      name,
      others.map((row) => row[at] ?? "").filter((cell) => cell !== ""),
    ),
  );
  return rates.reduce((sum, value) => sum + value, 0);
}
