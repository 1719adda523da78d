import { type Options, parse } from "csv-parse/sync";
import type { CsvLayout, Source } from "#contract";
import { guessHeader } from "./guess-header.ts";
import { tryParseJsonObject } from "./json-lines.ts";

/** How many lines decide whether a file is JSONL, and how many records decide the layout of a table. */
const sampleLines = 20;
export const sampleRecords = 50;

/** An object that is a line of a batch input file: its id and another of its parts, or a body that is an object. */
function isRequest(object: Readonly<Record<string, unknown>>): boolean {
  const parts = ["custom_id", "method", "url", "body"].filter((key) => Object.hasOwn(object, key));
  const { body } = object;
  return parts.length >= 2 && (parts.includes("custom_id") || (typeof body === "object" && body !== null));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a text is JSON that is not to be read line by line: a value over several lines, or several on one. `objects` are
 * the lines that are an object each.
 */
function isJsonDocument(lines: readonly string[], objects: number, name: string): boolean {
  const [first = "", second] = lines;
  const isNamedLines = /\.(jsonl|ndjson)$/i.test(name);
  const isNamedJson = /\.json$/i.test(name);
  if (first.startsWith("[")) return isNamedJson || isNamedLines || /^\[\s*(?:[{[]|$)/.test(first);
  if (!/^\{\s*(?:"|\}|$)/.test(first)) return false;
  // A single line may be a table of its own, such as an object of columns.
  if (second === undefined) return !isJson(first) || isNamedJson;
  // Lines that are broken are among others, and each is told.
  if (isJson(first) && !(isNamedJson && tryParseJsonObject(second) === null)) return false;
  return objects * 2 < lines.length;
}

/**
 * Guesses the format of a text from its first part. JSON objects on lines of their own are JSONL, whatever the file's name;
 * the name decides where the content does not.
 */
export function guessKind(
  sample: string,
  name: string,
): Pick<Source, "holds"> & { kind: Extract<Source["kind"], "csv" | "jsonl" | "json"> } {
  const namedJson = /\.(jsonl|ndjson|json)$/i.test(name);
  const lines = sample.split(/\r?\n/, sampleLines + 1).map((line) => line.replace(/^\ufeff/, "").trim());
  // The last one of a longer sample may be cut off.
  const whole = lines.filter((line) => line !== "").slice(0, sampleLines);
  const objects = whole.map(tryParseJsonObject).filter((object) => object !== null);
  const requests = objects.filter(isRequest).length;
  if (objects.length > 0 && requests * 2 >= objects.length) return { kind: "jsonl", holds: "requests" };
  if (isJsonDocument(whole, objects.length, name)) return { kind: "json", holds: "rows" };
  return { kind: objects.length > 0 || namedJson ? "jsonl" : "csv", holds: "rows" };
}

const delimiters = [",", ";", "\t", "|"] as const;

/** The first records of a sample as this delimiter cuts it. */
function cut(sample: string, delimiter: string, options: Options = {}): string[][] {
  const records: string[][] = [];
  try {
    parse(sample, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      ...options,
      max_record_size: 0,
      to: sampleRecords,
      on_record(record: string[]) {
        records.push(record);
        return null;
      },
    });
  } catch {
    // A quote may still be open where the sample ends: the records before it are enough.
  }
  return records;
}

/** The records of a table below a few titles of one cell each; all where those below are not of one length. */
function withoutTitles(records: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const table = records.slice(records.findIndex(({ length }) => length > 1));
  const isTable = table.length > 2 && table.length * 2 >= records.length;
  return isTable && table.every(({ length }) => length === table[0]?.length) ? table : records;
}

/** How well a delimiter fits: the share of records with the most frequent number of cells, then that number. */
function score(all: readonly (readonly string[])[]): { fit: number; cells: number } {
  const records = withoutTitles(all);
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [cells, count] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0];
  return { fit: cells > 1 ? count / records.length : 0, cells };
}

/** Guesses delimiter and header row from the first part of a table, `name` deciding where both delimiters fit. */
export function guessCsvLayout(sample: string, name: string): CsvLayout {
  const delimiter = guessDelimiter(sample, name);
  return { delimiter, ...guessHeader(cut(sample, delimiter, { skip_empty_lines: false })) };
}

function guessDelimiter(sample: string, name: string): CsvLayout["delimiter"] {
  const preferred = /\.(tsv|tab)$/i.test(name) ? "\t" : ",";
  let best: { delimiter: CsvLayout["delimiter"]; fit: number; cells: number } = {
    delimiter: preferred,
    fit: 0.5,
    cells: 1,
  };
  for (const delimiter of [preferred, ...delimiters] as const) {
    const { fit, cells } = score(cut(sample, delimiter));
    if (fit > best.fit + 0.1 || (fit >= best.fit && cells > best.cells)) best = { delimiter, fit, cells };
  }
  if (best.cells > 1 || /\.(csv|tsv|tab)$/i.test(name)) return best.delimiter;
  // Texts, one on each line: a delimiter that none of them has leaves them whole.
  const isUnused = (delimiter: string) => cut(sample, delimiter).every(({ length }) => length === 1);
  return delimiters.find(isUnused) ?? best.delimiter;
}
