import type { ExportColumn } from "./columns.ts";
import type { ExportRow } from "./export-row.ts";
import { writeText } from "./write-text.ts";

/** An object a line with a member for each column: `null` where a row has nothing in it, numbers as they were written. */
export function writeFlatJsonLines(
  columns: readonly ExportColumn[],
  rows: AsyncIterable<readonly ExportRow[]>,
): AsyncGenerator<Uint8Array> {
  return writeText(
    rows,
    (row) => `${JSON.stringify(Object.fromEntries(columns.map(({ name, read }) => [name, read(row)])))}\n`,
  );
}
