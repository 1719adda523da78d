export { nextSort, type TableColumn, type TableSort } from "./table-columns.ts";
export { useOpenRow } from "./use-open-row.ts";
export { type RowPages, type RowRange, useRowPages, useRowRange } from "./use-row-pages.ts";
export {
  TableCard,
  twoLineHeight,
  VirtualTable,
  type VirtualTableHandle,
  type VirtualTableProps,
} from "./virtual-table.tsx";
