export { createRowSurvey, type RowSurvey } from "./columns.ts";
export { type TableColumn, writeCsv } from "./csv.ts";
export { type ExportRow, emptyRow, parseExportRow, toExportRow } from "./export-row.ts";
export { type TableFormat, writeTable } from "./write-export.ts";
export { writeXlsx } from "./xlsx.ts";
