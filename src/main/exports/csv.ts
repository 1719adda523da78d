import { type Cell, textOf } from "./cells.ts";
import { writeText } from "./write-text.ts";

/** A column of a CSV file or a workbook, over rows of any kind. */
export interface TableColumn<Row> {
  readonly name: string;
  read(row: Row): Cell;
}

/** Comma-separated records (RFC 4180) in UTF-8, with a header. */
export function writeCsv<Row>(
  columns: readonly TableColumn<Row>[],
  rows: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  const header = toRecord(columns.map(({ name }) => name));
  return writeText(rows, (row) => toRecord(columns.map(({ read }) => read(row))), header);
}

const toRecord = (cells: readonly Cell[]) => `${cells.map(toField).join(",")}\r\n`;

/** What spreadsheets take for a formula when a cell begins with it. */
const formulaStart = /^[=+\-@\t\r]/;
const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const needsQuotes = /[",\r\n]/;

function toField(cell: Cell): string {
  const text = textOf(cell);
  const safe = typeof cell === "string" && formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
