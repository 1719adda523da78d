import { type CsvChoice, describeNotes, type Encoding, encodings, formatNumber, type SourceLayout } from "#contract";
import { loadTables } from "#main/build";
import { CliError, exitCodes } from "./cli-error.ts";
import type { OpenTable } from "./open-table.ts";
import type { TableFlags } from "./table-flags.ts";

/** What the flags of a table choose. The rest is guessed. */
export async function toLayout(flags: TableFlags): Promise<SourceLayout> {
  const { delimiter, quote, escape: sign, comment, encoding, sheet, headerRow: header, skipRows: skip } = flags;
  const given = Object.entries({ delimiter, quote, escape: sign, comment, header, skip });
  const csv: CsvChoice = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return {
    csv,
    encoding: encoding === undefined ? null : await readEncoding(encoding),
    sheet: sheet ?? null,
    valuesAsShown: flags.valuesAsShown,
    visibleRowsOnly: flags.visibleRowsOnly,
  };
}

async function readEncoding(name: string): Promise<Encoding> {
  const { findEncoding } = await loadTables();
  const encoding = findEncoding(name);
  if (encoding !== undefined) return encoding;
  throw new CliError(`'${name}' is no encoding. Encodings are ${encodings.join(", ")}.`, exitCodes.unusable);
}

/** How many columns are named. */
const namedColumns = 5;

/** How a table was read, for stderr: its header, its encoding where that is a guess, and what one should know of it. */
export function describeReading(file: string, { source }: OpenTable): string[] {
  const { csv, encoding, notes, columns } = source;
  const list = `${columns.slice(0, namedColumns).join(", ")}${columns.length > namedColumns ? " …" : ""}`;
  const isDoubtful = notes.doubts.includes("header");
  const lines: string[] = [];
  if (csv?.header === null) {
    lines.push(`no row is the header${isDoubtful ? " (--header-row 1 takes the first)" : ""}: ${list}`);
  } else if (csv !== null) {
    const other = isDoubtful ? " (--header-row none reads it as data)" : "";
    lines.push(`row ${formatNumber(csv.header)} is the header${other}: ${list}`);
  }
  const above = (csv?.header ?? 1) - 1;
  if (above > 0) lines.push(`${describeRows(1, above)} above the header left out`);
  if (csv !== null && csv.skip > 0) {
    const from = (csv.header ?? 0) + 1;
    lines.push(`${describeRows(from, csv.skip)} left out (--skip-rows 0 keeps them)`);
  }
  if (notes.doubts.includes("encoding")) lines.push(`read as ${encoding}, which is a guess (--encoding sets it)`);
  // Empty cells are common, and a column that is used is checked for them.
  return [...lines, ...describeNotes({ ...notes, emptyCells: null })].map((line) => `${file}: ${line}.`);
}

function describeRows(from: number, count: number): string {
  return count === 1 ? `row ${formatNumber(from)}` : `rows ${formatNumber(from)} to ${formatNumber(from + count - 1)}`;
}
