import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { BuildError } from "../../errors.ts";
import { createInflationGuard } from "../inflation.ts";
import { checkPages } from "./check-pages.ts";
import { type LeafKind, prepareSchema } from "./parquet-schema.ts";
import { areText, exactParsers, toJsonValue } from "./parquet-values.ts";

/** Rows that are in memory at a time where a group of the file has more. */
const rowsAtATime = 20_000;

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

/** A file with its prepared metadata. */
interface OpenFile {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly kindOf: (leaf: SchemaElement) => LeafKind;
}

/** The rows of a Parquet file as JSON Lines, one group of rows after another. */
export async function* readParquet(path: string): AsyncGenerator<string> {
  try {
    const whole = await asyncBufferFromFile(path);
    const prepared = prepareSchema(await parquetMetadataAsync(whole));
    const file = checkPages(whole, prepared.metadata, createPageReaders(whole.byteLength));
    const found = { file, ...prepared };
    const columns = parquetSchema(found.metadata).children;
    const binary = await findBinary(found, columns);
    const options = { kindOf: found.kindOf, isText: (leaf: SchemaElement) => !binary.has(leaf) };
    const keys = columns.map(({ element }) => JSON.stringify(element.name));
    for await (const rows of readGroups(found)) {
      let text = "";
      for (const row of rows) {
        const cells = columns.map(
          (column, at) => `${keys[at]}:${JSON.stringify(toJsonValue(row[at], column, options))}`,
        );
        text += `{${cells.join(",")}}\n`;
      }
      yield text;
    }
  } catch (error) {
    if (error instanceof BuildError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BuildError("refused", `This Parquet file can't be read: ${reason}. Export it again, or as CSV.`);
  }
}

/** The rows as arrays of the values of their columns, or of some columns. */
async function* readGroups({ file, metadata }: OpenFile, columns?: string[]): AsyncGenerator<readonly unknown[][]> {
  let start = 0;
  for (const { num_rows } of metadata.row_groups) {
    const end = start + Number(num_rows);
    for (let rowStart = start; rowStart < end; rowStart += rowsAtATime) {
      let rows: readonly unknown[][] = [];
      await parquetRead({
        file,
        metadata,
        rowStart,
        rowEnd: Math.min(rowStart + rowsAtATime, end),
        useOffsetIndex: true,
        compressors: createPageReaders(file.byteLength),
        parsers: exactParsers,
        // Bytes without a type may be no text.
        utf8: false,
        ...(columns && { columns }),
        onComplete: (read: unknown[][]) => {
          rows = read;
        },
      });
      yield rows;
    }
    start = end;
  }
}

/** The leaves of bytes without a type that have a value which is no text. */
async function findBinary(found: OpenFile, columns: readonly SchemaTree[]): Promise<ReadonlySet<SchemaElement>> {
  const binary = new Set<SchemaElement>();
  const hasBytes = ({ element, children }: SchemaTree): boolean =>
    children.length > 0 ? children.some(hasBytes) : found.kindOf(element) === "bytes";
  const untyped = columns.filter(hasBytes);
  if (untyped.length === 0) return binary;
  const isText = (leaf: SchemaElement, bytes: Uint8Array): boolean => {
    if (!binary.has(leaf) && !areText(bytes)) binary.add(leaf);
    return false;
  };
  for await (const rows of readGroups(
    found,
    untyped.map(({ element }) => element.name),
  )) {
    for (const row of rows) {
      for (const [at, column] of untyped.entries()) toJsonValue(row[at], column, { kindOf: found.kindOf, isText });
    }
  }
  return binary;
}
