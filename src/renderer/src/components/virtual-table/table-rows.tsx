import { VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { memo } from "react";
import type { TableColumn, TableSort } from "./table-columns.ts";
import classes from "./virtual-table.module.css";

const ariaSorts = { asc: "ascending", desc: "descending" } as const;

interface TableHeadProps<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly tracks: string;
  readonly sort: TableSort | null;
  readonly onSort: ((column: string) => void) | undefined;
}

/** The names of the columns; those that can be sorted by are buttons. */
export function TableHead<Row>({ columns, tracks, sort, onSort }: TableHeadProps<Row>) {
  return (
    <thead className={classes.head}>
      <tr className={classes.row} style={{ gridTemplateColumns: tracks }} aria-rowindex={1}>
        {columns.map(({ id, header, hideHeader, align, sortable }) => {
          const order = sort?.column === id ? sort.order : null;
          const Arrow = order === "asc" ? IconArrowUp : IconArrowDown;
          return (
            <th
              key={id}
              className={classes.headCell}
              scope="col"
              data-align={align}
              aria-sort={order ? ariaSorts[order] : undefined}
            >
              {sortable && onSort ? (
                <button type="button" className={classes.sort} onClick={() => onSort(id)} data-sorted={order !== null}>
                  <span className={classes.name}>{header}</span>
                  <Arrow size={13} aria-hidden />
                </button>
              ) : hideHeader ? (
                <VisuallyHidden>{header}</VisuallyHidden>
              ) : (
                <span className={classes.name} title={header}>
                  {header}
                </span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface TableRowProps<Row> {
  readonly id: string;
  readonly index: number;
  /** Where it stands below the first row that is drawn, in CSS pixels. */
  readonly top: number;
  readonly row: Row | undefined;
  readonly tone: string | undefined;
  readonly columns: readonly TableColumn<Row>[];
  readonly tracks: string;
  readonly active: boolean;
}

function Row<Row>({ id, index, top, row, tone, columns, tracks, active }: TableRowProps<Row>) {
  return (
    <tr
      id={id}
      className={classes.row}
      style={{ gridTemplateColumns: tracks, top: `calc(var(--first-top) + ${top}px)` }}
      data-index={index}
      data-tone={tone}
      aria-rowindex={index + 2}
      aria-selected={active}
      aria-busy={row === undefined || undefined}
    >
      {columns.map((column) => (
        <td key={column.id} className={classes.cell} data-align={column.align}>
          {row === undefined ? <span className={classes.pending} /> : column.render(row)}
        </td>
      ))}
    </tr>
  );
}

/** One row. Drawn anew only when something of it has changed: a live table gets ten updates a second. */
export const TableRow = memo(Row) as typeof Row;
