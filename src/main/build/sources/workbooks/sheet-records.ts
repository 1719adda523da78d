import { cellText, parseJson } from "../json-lines.ts";
import { readLines } from "../lines.ts";
import { type CellReports, mostRows, type SheetRow, type Workbook } from "./workbook.ts";

/** The rows of a sheet that decide how many columns it has. */
const widthRows = 1000;
/** The longest row, in bytes: many cells that are full. */
const mostRowBytes = 256 * 1024 * 1024;

/** A row of a sheet as it was converted: a JSON array of its cells, which keep their types. */
export interface SheetRecord {
  /** The cells as they are printed. */
  readonly cells: readonly string[];
  readonly values: readonly unknown[];
  /** The byte after it and its line end. */
  readonly end: number;
  readonly fault: null;
  /** The blank rows between it and the row before. */
  readonly blankLines: number;
}

export interface SheetReports extends CellReports {
  /** Called for each row with cells that the sheet hides. */
  onHidden?(): void;
}

interface SheetChoice {
  readonly sheet: string;
  /** Leaves out hidden rows. */
  readonly visibleRowsOnly: boolean;
}

/**
 * The rows of a sheet as lines, all as long as the longest of the first ones. A row without cells, or one that is left out,
 * is a blank line, so that rows are counted as in the sheet.
 */
export async function* writeSheetRecords(
  book: Workbook,
  { sheet, visibleRowsOnly }: SheetChoice,
  reports: SheetReports,
): AsyncGenerator<string> {
  let last = 0;
  let width = 0;
  const write = (rows: readonly SheetRow[]) => {
    let text = "";
    for (const { number, cells } of rows) {
      const padding = ",null".repeat(Math.max(0, width - cells.length));
      text += `${"\n".repeat(Math.min(mostRows, Math.max(0, number - last - 1)))}[${cells.join(",")}${padding}]\n`;
      last = Math.max(last, number);
    }
    return text;
  };
  let first: SheetRow[] | null = [];
  const writeFirst = () => {
    for (const { cells } of first ?? []) width = Math.max(width, cells.length);
    return write(first ?? []);
  };
  for await (const some of book.rows(sheet, reports)) {
    for (const { isHidden } of some) if (isHidden) reports.onHidden?.();
    const rows = visibleRowsOnly ? some.filter(({ isHidden }) => !isHidden) : some;
    if (first === null) yield write(rows);
    else {
      first.push(...rows);
      if (first.length < widthRows) continue;
      yield writeFirst();
      first = null;
    }
  }
  if (first !== null) yield writeFirst();
}

/** Reads converted rows from the byte `start`, as many at a time as a window of the file holds. */
export async function* readSheetRecords(path: string, start: number): AsyncGenerator<readonly SheetRecord[]> {
  let blankLines = 0;
  for await (const lines of readLines(path, { start, maxLineBytes: mostRowBytes })) {
    const records: SheetRecord[] = [];
    for (const { bytes, end } of lines) {
      if (bytes.length === 0) {
        blankLines += 1;
        continue;
      }
      const values = readArray(bytes.toString("utf8"));
      records.push({ cells: values.map(cellText), values, end, fault: null, blankLines });
      blankLines = 0;
    }
    if (records.length > 0) yield records;
  }
}

/** A line that was cut where only the start of a file is read has no cells. */
function readArray(line: string): readonly unknown[] {
  try {
    const value = parseJson(line);
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
