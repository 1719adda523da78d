import { type CsvOptions, escapeFormula } from "#contract";
import { type Cell, textOf } from "./cells.ts";
import { writeText } from "./write-text.ts";

/** A column of a CSV file or a workbook, over rows of any kind. */
export interface TableColumn<Row> {
  readonly name: string;
  read(row: Row): Cell;
}

/** Comma-separated records (RFC 4180) in UTF-8 with a header, or what else the options choose. */
export function writeCsv<Row>(
  columns: readonly TableColumn<Row>[],
  rows: AsyncIterable<readonly Row[]>,
  options: CsvOptions = {},
): AsyncGenerator<Uint8Array> {
  const { delimiter = ",", byteOrderMark = false } = options;
  const toField = createFieldWriter(options);
  const toRecord = (readCell: (column: TableColumn<Row>) => Cell) => {
    const record = columns.map((column) => toField(readCell(column))).join(delimiter);
    // A blank line would be no row.
    return `${record === "" ? '""' : record}\r\n`;
  };
  const header = toRecord(({ name }) => name);
  return writeText(rows, (row) => toRecord(({ read }) => read(row)), `${byteOrderMark ? "\uFEFF" : ""}${header}`);
}

const needsQuotes = /[",;\t\r\n]/;

function createFieldWriter({ decimalComma = false, escapeFormulas = true }: CsvOptions): (cell: Cell) => string {
  const quote = (text: string) => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return (cell) => {
    if (typeof cell === "string") {
      return quote(escapeFormulas ? escapeFormula(cell) : cell);
    }
    const text = textOf(cell);
    return decimalComma && typeof cell !== "boolean" ? quote(text.replace(".", ",")) : text;
  };
}
