import { VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { type CSSProperties, type KeyboardEvent, memo, type PointerEvent } from "react";
import { listCells, pinnedOffsets, type TableColumn, type TableSort } from "./table-columns.ts";
import classes from "./virtual-table.module.css";

const ariaSorts = { asc: "ascending", desc: "descending" } as const;

interface TableHeadProps<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly tracks: string;
  readonly sort: TableSort | null;
  readonly onSort: ((column: string) => void) | undefined;
  readonly onResize: ((column: string, width: number) => void) | undefined;
}

/** The names of the columns; those that can be sorted by are buttons. */
export function TableHead<Row>({ columns, tracks, sort, onSort, onResize }: TableHeadProps<Row>) {
  const offsets = pinnedOffsets(columns);
  return (
    <thead className={classes.head}>
      <tr className={classes.row} style={{ gridTemplateColumns: tracks }} aria-rowindex={1}>
        {columns.map(({ id, header, head, hint, hideHeader, isTight, align, sortable, width }, at) => {
          const order = sort?.column === id ? sort.order : null;
          const Arrow = order === "asc" ? IconArrowUp : IconArrowDown;
          return (
            <th
              key={id}
              className={classes.headCell}
              style={stayAt(offsets[at])}
              data-pinned={offsets[at] !== undefined || undefined}
              scope="col"
              // The handle at its edge is no part of its name.
              aria-label={header}
              data-align={align}
              aria-sort={order ? ariaSorts[order] : undefined}
            >
              {sortable && onSort ? (
                <button type="button" className={classes.sort} onClick={() => onSort(id)} data-sorted={order !== null}>
                  <span className={classes.name} title={hint ?? header}>
                    {header}
                  </span>
                  {isTight && order === null ? null : <Arrow size={13} aria-hidden />}
                </button>
              ) : hideHeader ? (
                <VisuallyHidden>{header}</VisuallyHidden>
              ) : (
                <span className={classes.name} title={hint ?? header}>
                  {head ?? header}
                </span>
              )}
              {onResize && width !== undefined ? (
                <ResizeHandle header={header} width={width} onResize={(wanted) => onResize(id, wanted)} />
              ) : null}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function stayAt(offset: number | undefined): CSSProperties | undefined {
  return offset === undefined ? undefined : { position: "sticky", left: offset };
}

/** The narrowest and widest that a column can be made, and how far a key moves its edge, in CSS pixels. */
const [leastWidth, mostWidth, widthStep] = [48, 1_200, 16];

interface ResizeHandleProps {
  readonly header: string;
  readonly width: number;
  readonly onResize: (width: number) => void;
}

/** The edge of a column, moved with the pointer or the arrow keys. */
function ResizeHandle({ header, width, onResize }: ResizeHandleProps) {
  const resize = (wanted: number) => onResize(Math.round(Math.min(mostWidth, Math.max(leastWidth, wanted))));
  const widthOf = (handle: Element) => handle.closest("th")?.getBoundingClientRect().width ?? width;

  const drag = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    const handle = event.currentTarget;
    const [startX, startWidth] = [event.clientX, widthOf(handle)];
    handle.setPointerCapture(event.pointerId);
    const move = ({ clientX }: { readonly clientX: number }) => resize(startWidth + clientX - startX);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), {
      once: true,
    });
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowLeft" ? -widthStep : event.key === "ArrowRight" ? widthStep : 0;
    if (step === 0) return;
    event.preventDefault();
    resize(widthOf(event.currentTarget) + step);
  };
  return (
    <hr
      className={classes.resize}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${header}`}
      aria-valuenow={Math.round(width)}
      aria-valuemin={leastWidth}
      aria-valuemax={mostWidth}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}

interface TableRowProps<Row> {
  readonly id: string;
  readonly index: number;
  /** Its offset from the first row that is drawn, in CSS pixels. */
  readonly top: number;
  readonly row: Row | undefined;
  readonly tone: string | undefined;
  readonly columns: readonly TableColumn<Row>[];
  readonly tracks: string;
  readonly selected: boolean;
}

function Row<Row>({ id, index, top, row, tone, columns, tracks, selected }: TableRowProps<Row>) {
  const offsets = pinnedOffsets(columns);
  return (
    <tr
      id={id}
      className={classes.row}
      style={{ gridTemplateColumns: tracks, top: `calc(var(--first-top) + ${top}px)` }}
      data-index={index}
      data-tone={tone}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={row === undefined || undefined}
    >
      {listCells(columns, row).map(({ column, at, span }) => (
        <td
          key={column.id}
          className={classes.cell}
          {...(span > 1 && { colSpan: span })}
          style={span > 1 ? { gridColumn: `span ${span}` } : stayAt(offsets[at])}
          data-pinned={offsets[at] !== undefined || undefined}
          data-align={span > 1 ? undefined : column.align}
        >
          {row === undefined ? <span className={classes.pending} /> : column.render(row)}
        </td>
      ))}
    </tr>
  );
}

/** One row. Drawn again only when something of it has changed: a live table gets four updates a second. */
export const TableRow = memo(Row) as typeof Row;
