import { type AsyncBuffer, asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { BuildError } from "../errors.ts";

/** Rows that are in memory at a time where a group of the file has more. */
const rowsAtATime = 20_000;

const options = {
  compressors,
  parsers: { dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10) },
};

/** A value of a row as JSON can say it: whole numbers keep all digits, bytes become base64. */
function toJsonValue(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return JSON.rawJSON(String(value));
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** The rows of a Parquet file as JSON Lines, one group of rows after another. */
export async function* readParquet(path: string): AsyncGenerator<string> {
  try {
    const file: AsyncBuffer = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    let start = 0;
    for (const { num_rows } of metadata.row_groups) {
      const end = start + Number(num_rows);
      for (let rowStart = start; rowStart < end; rowStart += rowsAtATime) {
        const rowEnd = Math.min(rowStart + rowsAtATime, end);
        const rows = await parquetReadObjects({ ...options, file, metadata, rowStart, rowEnd, useOffsetIndex: true });
        yield rows.map((row) => `${JSON.stringify(row, toJsonValue)}\n`).join("");
      }
      start = end;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BuildError("refused", `This Parquet file can't be read: ${reason}. Export it again, or as CSV.`);
  }
}
