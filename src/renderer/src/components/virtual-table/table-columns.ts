import type { ReactNode } from "react";

/** One column of a VirtualTable. */
export interface TableColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** What is drawn in place of the header's words. */
  readonly head?: ReactNode;
  /** What is to be known of its values, for who points at the header. */
  readonly hint?: string;
  /** For a header that adds nothing for those who see the column. */
  readonly hideHeader?: boolean;
  /** Where the header has room for its word alone: the arrow comes once it sorts. */
  readonly isTight?: boolean;
  /** A track of a CSS grid: `72px`, `minmax(160px, 2fr)`. */
  readonly track: string;
  readonly align?: "start" | "end";
  /** Where the table is narrower than this, in CSS pixels, the column is left out. */
  readonly hideBelow?: number;
  /** What it is instead where the table is narrower than `below`, in CSS pixels. */
  readonly narrow?: Pick<TableColumn<Row>, "track" | "hideHeader" | "isTight" | "render"> & { readonly below: number };
  /** Whether the header sorts by it. */
  readonly sortable?: boolean;
  /** Its width in CSS pixels, where the table's owner knows it: from there its edge is moved. */
  readonly width?: number;
  /** Stays in view when the table scrolls sideways; such columns come first, and have a width. */
  readonly pinned?: boolean;
  /** Whether the cell of a row gives its room to the one before it. */
  isSpanned?(row: Row): boolean;
  render(row: Row): ReactNode;
}

/** The cells of a row, each with how many columns it has the room of. Pinned columns stay where they are, alone. */
export function listCells<Row>(columns: readonly TableColumn<Row>[], row: Row | undefined) {
  const cells: { readonly column: TableColumn<Row>; readonly at: number; span: number }[] = [];
  for (const [at, column] of columns.entries()) {
    const before = cells.at(-1);
    const isSpanned = row !== undefined && !column.pinned && column.isSpanned?.(row) === true;
    if (isSpanned && before !== undefined && !before.column.pinned) before.span += 1;
    else cells.push({ column, at, span: 1 });
  }
  return cells;
}

export interface TableSort {
  readonly column: string;
  readonly order: "asc" | "desc";
}

/** The columns that a table of this width has room for. */
export function columnsThatFit<Row>(columns: readonly TableColumn<Row>[], width: number): readonly TableColumn<Row>[] {
  if (width === 0) return columns;
  return columns
    .filter(({ hideBelow = 0 }) => width >= hideBelow)
    .map((column) => (column.narrow && width < column.narrow.below ? { ...column, ...column.narrow } : column));
}

/** The space between the edge of a table and its first column, as in virtual-table.module.css. */
const rowPadding = 4;

/** Where each pinned column stays, in CSS pixels from the left; undefined for the others. */
export function pinnedOffsets<Row>(columns: readonly TableColumn<Row>[]): readonly (number | undefined)[] {
  let offset = rowPadding;
  return columns.map(({ pinned, width = 0 }) => {
    if (!pinned) return undefined;
    offset += width;
    return offset - width;
  });
}

/** What a click on a header leads to: its first order, then the other, in turns. */
export function nextSort(sort: TableSort | null, column: string, firstOrder: TableSort["order"] = "asc"): TableSort {
  if (sort?.column !== column) return { column, order: firstOrder };
  return { column, order: sort.order === "asc" ? "desc" : "asc" };
}

/** Where a key leads in a table, or null if it is not for moving. Without an active row the first one is next. */
export function rowAfterKey(key: string, active: number | null, count: number, page: number): number | null {
  if (count === 0) return null;
  const clamp = (index: number) => Math.min(count - 1, Math.max(0, index));
  switch (key) {
    case "ArrowDown":
      return active === null ? 0 : clamp(active + 1);
    case "ArrowUp":
      return active === null ? 0 : clamp(active - 1);
    case "PageDown":
      return clamp((active ?? 0) + page);
    case "PageUp":
      return clamp((active ?? 0) - page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
