import { memo } from "react";
import type { TableColumn } from "./columns.ts";
import classes from "./virtual-table.module.css";

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
