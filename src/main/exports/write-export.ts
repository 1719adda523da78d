import { createRowSurvey, type ExportColumn } from "./columns.ts";
import { writeCsv } from "./csv.ts";
import type { ExportRow } from "./export-row.ts";
import { writeFlatJsonLines } from "./json-lines.ts";
import { writeParquet } from "./parquet.ts";
import { writeXlsx } from "./xlsx.ts";

/** Formats with a column for each value. The lines as they are on the wire (`jsonl`) have none. */
export type TableFormat = "flat" | "csv" | "xlsx" | "parquet";

export interface TableExport {
  readonly format: TableFormat;
  /** The columns of the table that the batch was built from; none where there is none. */
  readonly tableColumns: readonly string[];
  /** Reads the rows; called twice, so that the columns are known before the first is written. */
  readonly rows: () => AsyncIterable<ExportRow>;
  /** Paths of the columns, in their order; all unless told. */
  readonly columns?: readonly string[] | undefined;
}

/** The bytes of a table file. Little more than a few thousand rows is in memory at a time. */
export async function* writeTable({ format, tableColumns, rows, columns }: TableExport): AsyncGenerator<Uint8Array> {
  const survey = createRowSurvey(tableColumns);
  for await (const row of rows()) survey.add(row);
  yield* writers[format](survey.columns(columns), rows());
}

type TableWriter = (columns: readonly ExportColumn[], rows: AsyncIterable<ExportRow>) => AsyncGenerator<Uint8Array>;

const writers: Readonly<Record<TableFormat, TableWriter>> = {
  flat: writeFlatJsonLines,
  csv: writeCsv,
  xlsx: writeXlsx,
  parquet: writeParquet,
};
