export { createRowSurvey, type RowSurvey } from "./columns.ts";
export { type CsvColumn, writeCsv } from "./csv.ts";
export { type ExportRow, emptyRow, parseExportRow, toExportRow } from "./export-row.ts";
export { type TableFormat, writeTable } from "./write-export.ts";
