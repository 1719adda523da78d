import type { CsvLayout, Source } from "#contract";
import { formatCount } from "../../../components/index.ts";

/** The delimiters a table can have, and what they are called. */
export const delimiterNames: Readonly<Record<CsvLayout["delimiter"], string>> = {
  ",": "Comma",
  ";": "Semicolon",
  "\t": "Tab",
  "|": "Bar",
};

const encodingNames: Readonly<Record<Source["encoding"], string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "windows-1252": "Windows-1252",
};

/** A source in short: `12,408 rows`, `3 columns`, `comma`, `UTF-8`. */
export function describeSource(source: Source): string[] {
  const format = source.csv === null ? "JSON Lines" : delimiterNames[source.csv.delimiter].toLowerCase();
  const content =
    source.holds === "requests"
      ? [formatCount(source.rowCount, "request")]
      : [formatCount(source.rowCount, "row"), formatCount(source.columns.length, "column")];
  return [...content, format, encodingNames[source.encoding]];
}
