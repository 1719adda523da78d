import { type Cell, textOf } from "./cells.ts";

/** Characters that are written at a time. */
const chunkLength = 256 * 1024;

/** A column of a CSV file over rows of any kind. */
export interface CsvColumn<Row> {
  readonly name: string;
  read(row: Row): Cell;
}

/** Comma-separated records (RFC 4180) in UTF-8, with a header. */
export async function* writeCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  let text = toRecord(columns.map(({ name }) => name));
  for await (const some of rows) {
    for (const row of some) {
      text += toRecord(columns.map(({ read }) => read(row)));
      if (text.length < chunkLength) continue;
      yield Buffer.from(text);
      text = "";
    }
  }
  yield Buffer.from(text);
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
