export { type ExportRow, emptyRow, parseExportRow, toExportRow } from "./export-row.ts";
export { type TableExport, type TableFormat, writeTable } from "./write-export.ts";
