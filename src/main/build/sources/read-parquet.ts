import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type Compressors,
  type DataReader,
  parquetMetadataAsync,
  parquetReadObjects,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { compressors } from "hyparquet-compressors";
import { BuildError } from "../errors.ts";
import { createInflationGuard } from "./inflation.ts";

/** Rows that are in memory at a time where a group of the file has more. */
const rowsAtATime = 20_000;

const options = {
  parsers: { dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10) },
};

/** A value of a row as JSON: whole numbers keep all digits, bytes become base64. */
function toJsonValue(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return JSON.rawJSON(String(value));
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** The most values of a page: the reader makes an array of as many as are declared, and V8 ends the process for larger ones. */
const mostPageValues = 20_000_000;

/** The file, whose pages are refused before they are read where they declare more values than a page has. */
function guardPages(file: AsyncBuffer): AsyncBuffer {
  return {
    byteLength: file.byteLength,
    async slice(start, end) {
      const bytes = await file.slice(start, end);
      refuseLargePages(bytes);
      return bytes;
    },
  };
}

function refuseLargePages(bytes: ArrayBuffer): void {
  const reader = { view: new DataView(bytes), offset: 0 };
  while (reader.offset < bytes.byteLength - 1) {
    const header = readPageHeader(reader);
    const values = header?.data_page_header ?? header?.data_page_header_v2 ?? header?.dictionary_page_header;
    // Other structures, such as the index of pages, are left to the reader.
    if (header === null || values === undefined) return;
    if (!(values.num_values >= 0 && values.num_values <= mostPageValues))
      throw new BuildError("refused", tooManyValues);
    reader.offset += Math.max(0, header.compressed_page_size);
  }
}

function readPageHeader(reader: DataReader) {
  try {
    return parquetHeader(reader);
  } catch {
    return null;
  }
}

const tooManyValues =
  "A page of this Parquet file declares more than 20,000,000 values. Export it again with smaller pages, or as CSV.";

/** Unpacks pages no larger than they declare, and, all together, no larger than a table can be. */
function createPageReaders(packedBytes: number): Compressors {
  const take = createInflationGuard(packedBytes);
  const unpackers: Compressors = {
    ...compressors,
    GZIP: (page, maxOutputLength) => gunzipSync(page, { maxOutputLength }),
    BROTLI: (page, maxOutputLength) => brotliDecompressSync(page, { maxOutputLength }),
    ZSTD: (page, maxOutputLength) => zstdDecompressSync(page, { maxOutputLength }),
  };
  const guard = (unpack: NonNullable<Compressors[keyof Compressors]>) => (page: Uint8Array, bytes: number) => {
    take(bytes);
    return unpack(page, bytes);
  };
  return Object.fromEntries(Object.entries(unpackers).map(([codec, unpack]) => [codec, guard(unpack)]));
}

/** The rows of a Parquet file as JSON Lines, one group of rows after another. */
export async function* readParquet(path: string): AsyncGenerator<string> {
  try {
    const file = guardPages(await asyncBufferFromFile(path));
    const metadata = await parquetMetadataAsync(file);
    let start = 0;
    for (const { num_rows } of metadata.row_groups) {
      const end = start + Number(num_rows);
      for (let rowStart = start; rowStart < end; rowStart += rowsAtATime) {
        const rowEnd = Math.min(rowStart + rowsAtATime, end);
        const range = { rowStart, rowEnd, useOffsetIndex: true, compressors: createPageReaders(file.byteLength) };
        const rows = await parquetReadObjects({ ...options, ...range, file, metadata });
        yield rows.map((row) => `${JSON.stringify(row, toJsonValue)}\n`).join("");
      }
      start = end;
    }
  } catch (error) {
    if (error instanceof BuildError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BuildError("refused", `This Parquet file can't be read: ${reason}. Export it again, or as CSV.`);
  }
}
