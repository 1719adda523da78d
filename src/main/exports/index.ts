export { createRowSurvey, type RowSurvey, type StoredRow } from "./columns.ts";
export { type TableColumn, writeCsv } from "./csv.ts";
export { type ExportRow, emptyRow, type JoinedColumns, parseExportRow, toExportRow } from "./export-row.ts";
export { noteMissing } from "./note-missing.ts";
export { createRowStore, inParts, type RowStore } from "./row-store.ts";
export { listTextColumns, type TableFormat, writeTable } from "./write-export.ts";
export { writeXlsx } from "./xlsx.ts";
