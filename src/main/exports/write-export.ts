import type { CsvOptions, TextColumns } from "#contract";
import type { ExportColumn, StoredRow } from "./columns.ts";
import { writeCsv } from "./csv.ts";
import { writeFlatJsonLines } from "./json-lines.ts";
import { writeXlsx } from "./xlsx.ts";

/** Formats with a column for each value. The lines as they are on the wire (`jsonl`) have none. */
export type TableFormat = "flat" | "csv" | "xlsx" | "parquet";

export interface TableExport {
  readonly format: TableFormat;
  /** As a survey of the same rows found them. */
  readonly columns: readonly ExportColumn[];
  /** Some at a time: as many as are read at once. */
  readonly rows: AsyncIterable<readonly StoredRow[]>;
  /** Of CSV. */
  readonly csv?: CsvOptions | undefined;
}

/** The bytes of a table file. Little more than a few thousand rows is in memory at a time. */
export async function* writeTable({ format, columns, rows, csv }: TableExport): AsyncGenerator<Uint8Array> {
  const shown = columns.map(({ name, readForSheet: read }) => ({ name, read }));
  switch (format) {
    case "csv":
      return yield* writeCsv(shown, rows, csv);
    case "flat":
      return yield* writeFlatJsonLines(columns, rows);
    case "xlsx":
      return yield* writeXlsx(shown, rows);
    case "parquet": {
      const { writeParquet } = await import("./parquet.ts");
      return yield* writeParquet(columns, rows);
    }
  }
}

/** Columns with numbers that a file of this format has as text, each with a number that it could not have otherwise. */
export function listTextColumns(format: TableFormat, columns: readonly ExportColumn[]): TextColumns {
  return columns.flatMap(({ name, inexactNumber, roundedNumber }) => {
    const number = format === "parquet" ? inexactNumber : format === "xlsx" ? roundedNumber : null;
    return number === null ? [] : [{ column: name, number }];
  });
}
