export { nextSort, type TableColumn, type TableSort } from "./table-columns.ts";
export { TableCard, VirtualTable, type VirtualTableHandle, type VirtualTableProps } from "./virtual-table.tsx";
