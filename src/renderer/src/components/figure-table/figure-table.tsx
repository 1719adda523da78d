import { VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { nextSort, type TableSort } from "../virtual-table/table-columns.ts";
import classes from "./figure-table.module.css";
import { sortFigures } from "./sort-figures.ts";

export interface FigureColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** What is drawn in place of the header's words. */
  readonly head?: ReactNode;
  readonly hint?: string;
  readonly align?: "end";
  /** Takes the room that the others leave. */
  readonly grows?: boolean;
  /** Left out where the table is narrower than 960, 760 or 560 pixels. */
  readonly hideBelow?: 960 | 760 | 560;
  /** Makes it sortable: numbers begin with the largest. Rows without a value come last. */
  readonly sortBy?: (row: Row) => number | string | null;
  /** Of a column whose least numbers are looked for. */
  readonly isLeastFirst?: boolean;
  readonly render: (row: Row) => ReactNode;
}

export interface FigureTableProps<Row> {
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly FigureColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly firstSort?: TableSort;
  /** Stay below the others, however these are sorted. */
  readonly lastRows?: readonly Row[];
  /** Makes whole rows buttons; undefined for a row that leads nowhere. `name` says what a click does. */
  readonly onOpen?: (row: Row) => { readonly name: string; readonly open: () => void } | undefined;
  readonly isSelected?: (row: Row) => boolean;
  /** Whether the head is left out where the table is narrower than 680 pixels: its figures have their units. */
  readonly foldsHead?: boolean;
}

/** A small table of figures, each row of one thing, that sorts by any of its columns. */
export function FigureTable<Row>(props: FigureTableProps<Row>) {
  const { label, columns, rows, keyOf, firstSort = null, lastRows = [], onOpen, isSelected, foldsHead = false } = props;
  const [sort, setSort] = useState<TableSort | null>(firstSort);
  const sortedBy = columns.find(({ id }) => id === sort?.column)?.sortBy;
  const sorted = sort === null || sortedBy === undefined ? rows : sortFigures(rows, sortedBy, sort.order);
  const growing = columns.filter(({ grows }) => grows).length;
  return (
    <div className={classes.root} data-folds={foldsHead || undefined}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell
                key={column.id}
                column={column}
                isFirstDescending={!column.isLeastFirst && typeof (rows[0] && column.sortBy?.(rows[0])) !== "string"}
                sort={sort}
                onSort={setSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {[...sorted, ...lastRows].map((row) => {
            const opens = onOpen?.(row);
            return (
              <tr
                key={keyOf(row)}
                data-opens={opens !== undefined || undefined}
                data-selected={isSelected?.(row) || undefined}
              >
                {columns.map(({ id, align, grows, hideBelow, render }, at) => (
                  <td
                    key={id}
                    data-align={align}
                    data-grows={grows}
                    data-hide={hideBelow}
                    style={grows ? { width: `${100 / growing}%` } : undefined}
                  >
                    {at === 0 && opens !== undefined ? (
                      <button
                        type="button"
                        className={classes.open}
                        aria-label={opens.name}
                        aria-pressed={isSelected?.(row)}
                        onClick={opens.open}
                      />
                    ) : null}
                    {render(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface HeadCellProps<Row> {
  readonly column: FigureColumn<Row>;
  readonly isFirstDescending: boolean;
  readonly sort: TableSort | null;
  readonly onSort: (sort: TableSort) => void;
}

function HeadCell<Row>({ column, isFirstDescending, sort, onSort }: HeadCellProps<Row>) {
  const { id, header, head, hint, align, hideBelow, sortBy } = column;
  const order = sort?.column === id ? sort.order : null;
  const Arrow = order === "asc" ? IconArrowUp : IconArrowDown;
  const name =
    head === undefined ? (
      header
    ) : (
      <>
        <VisuallyHidden>{header}</VisuallyHidden>
        <span aria-hidden>{head}</span>
      </>
    );
  return (
    <th
      scope="col"
      data-align={align}
      data-hide={hideBelow}
      aria-sort={order === null ? undefined : order === "asc" ? "ascending" : "descending"}
      title={hint}
    >
      {sortBy === undefined ? (
        name
      ) : (
        <button
          type="button"
          className={classes.sort}
          data-sorted={order !== null || undefined}
          onClick={() => onSort(nextSort(sort, id, isFirstDescending ? "desc" : "asc"))}
        >
          {name}
          <Arrow size={13} aria-hidden />
        </button>
      )}
    </th>
  );
}
