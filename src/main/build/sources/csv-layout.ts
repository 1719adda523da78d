import { type Options, parse } from "csv-parse/sync";
import type { CsvLayout } from "#contract";

const delimiters = [",", ";", "\t", "|"] as const;
const sampleRecords = 50;

/** The first records of a sample as this delimiter cuts it. */
function cut(sample: string, delimiter: string): string[][] {
  const records: string[][] = [];
  const options: Options = { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  try {
    parse(sample, {
      ...options,
      max_record_size: 0,
      to: sampleRecords,
      on_record(record: string[]) {
        records.push(record);
        return null;
      },
    });
  } catch {
    // A quote that is still open where the sample ends: the records before it tell enough.
  }
  return records;
}

/** How well a delimiter fits: the share of records with the most frequent number of cells, then that number. */
function score(records: readonly (readonly string[])[]): { fit: number; cells: number } {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [cells, count] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0];
  return { fit: cells > 1 ? count / records.length : 0, cells };
}

function isNumber(text: string): boolean {
  return text !== "" && Number.isFinite(Number(text.replace(",", ".")));
}

/** Names of columns are short, all there, all different, and neither numbers nor sentences. */
function areNames(cells: readonly string[]): boolean {
  return (
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell !== "" && cell.length <= 64 && !isNumber(cell) && !/[.?!\n]$|\n/.test(cell))
  );
}

/** With no row to compare them with, names are held to more: they start with a letter and have few words. */
function areNamesForSure(cells: readonly string[]): boolean {
  const mostWords = cells.length === 1 ? 1 : 3;
  return areNames(cells) && cells.every((cell) => /^[\p{L}_]/u.test(cell) && cell.split(/\s+/).length <= mostWords);
}

/** Whether the first record names the columns of those after it; of a table without rows where it is the only one. */
function looksLikeHeader([first, ...others]: readonly (readonly string[])[]): boolean {
  if (first === undefined) return false;
  const cells = first.map((cell) => cell.trim());
  return others.length === 0 ? areNamesForSure(cells) : areNames(cells);
}

/** Guesses delimiter and header row from the first part of a table, `name` deciding where both delimiters fit. */
export function guessCsvLayout(sample: string, name: string): CsvLayout {
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
  return { delimiter: best.delimiter, header: looksLikeHeader(cut(sample, best.delimiter)) };
}
