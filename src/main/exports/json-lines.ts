import type { ExportColumn } from "./columns.ts";
import type { ExportRow } from "./export-row.ts";

/** Characters that are written at a time. */
const chunkLength = 256 * 1024;

/** An object a line with a member for each column: `null` where a row has nothing in it, numbers as they were written. */
export async function* writeFlatJsonLines(
  columns: readonly ExportColumn[],
  rows: AsyncIterable<readonly ExportRow[]>,
): AsyncGenerator<Uint8Array> {
  let text = "";
  for await (const some of rows) {
    for (const row of some) {
      text += `${JSON.stringify(Object.fromEntries(columns.map(({ name, read }) => [name, read(row)])))}\n`;
      if (text.length < chunkLength) continue;
      yield Buffer.from(text);
      text = "";
    }
  }
  if (text !== "") yield Buffer.from(text);
}
