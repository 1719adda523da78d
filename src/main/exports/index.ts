export { type ExportRow, emptyRow, parseExportRow } from "./export-row.ts";
export { type TableExport, type TableFormat, writeTable } from "./write-export.ts";
