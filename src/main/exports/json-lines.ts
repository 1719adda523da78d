import type { Cell } from "./cells.ts";
import type { ExportColumn, StoredRow } from "./columns.ts";
import { writeText } from "./write-text.ts";

/** An object a line with a member for each column: `null` where a row has nothing in it, numbers as they were written. */
export function writeFlatJsonLines(
  columns: readonly ExportColumn[],
  rows: AsyncIterable<readonly StoredRow[]>,
): AsyncGenerator<Uint8Array> {
  const members = columns.map(({ name, read }) => ({ start: `${JSON.stringify(name)}:`, read }));
  return writeText(rows, (row) => `{${members.map(({ start, read }) => start + toJson(read(row))).join(",")}}\n`);
}

function toJson(cell: Cell): string {
  return typeof cell === "object" && cell !== null ? cell.number : JSON.stringify(cell);
}
