import type { ExportColumn } from "./columns.ts";
import { writeCsv } from "./csv.ts";
import type { ExportRow } from "./export-row.ts";
import { writeFlatJsonLines } from "./json-lines.ts";
import { writeParquet } from "./parquet.ts";
import { writeXlsx } from "./xlsx.ts";

/** Formats with a column for each value. The lines as they are on the wire (`jsonl`) have none. */
export type TableFormat = "flat" | "csv" | "xlsx" | "parquet";

export interface TableExport {
  readonly format: TableFormat;
  /** As a survey of the same rows found them. */
  readonly columns: readonly ExportColumn[];
  /** Some at a time: as many as are read at once. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

/** The bytes of a table file. Little more than a few thousand rows is in memory at a time. */
export function writeTable({ format, columns, rows }: TableExport): AsyncGenerator<Uint8Array> {
  return writers[format](columns, rows);
}

type TableWriter = (
  columns: readonly ExportColumn[],
  rows: AsyncIterable<readonly ExportRow[]>,
) => AsyncGenerator<Uint8Array>;

const writers: Readonly<Record<TableFormat, TableWriter>> = {
  flat: writeFlatJsonLines,
  csv: writeCsv,
  xlsx: writeXlsx,
  parquet: writeParquet,
};
