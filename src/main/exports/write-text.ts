/** Characters that are written at a time. */
const chunkLength = 256 * 1024;

/** Rows as text after a beginning, in pieces that are worth writing. */
export async function* writeText<Row>(
  rows: AsyncIterable<readonly Row[]>,
  toText: (row: Row) => string,
  beginning = "",
): AsyncGenerator<Uint8Array> {
  let text = beginning;
  for await (const some of rows) {
    for (const row of some) {
      text += toText(row);
      if (text.length < chunkLength) continue;
      yield Buffer.from(text);
      text = "";
    }
  }
  if (text !== "") yield Buffer.from(text);
}
