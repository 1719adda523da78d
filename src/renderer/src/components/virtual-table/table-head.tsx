import { VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { TableColumn, TableSort } from "./columns.ts";
import classes from "./virtual-table.module.css";

const ariaSorts = { asc: "ascending", desc: "descending" } as const;

export interface TableHeadProps<Row> {
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
