import { useElementSize, useMergedRef } from "@mantine/hooks";
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
} from "react";
import { formatNumber } from "#contract";
import { columnsThatFit, rowAfterKey, type TableColumn, type TableSort } from "./table-columns.ts";
import { TableHead, TableRow } from "./table-rows.tsx";
import { useRowWindow } from "./use-row-window.ts";
import classes from "./virtual-table.module.css";

/** As in virtual-table.module.css. */
const usualRowHeight = 34;
const headHeight = 28;
/** From here a row has room for two lines of text. */
export const twoLineHeight = 48;

/** What the owner of a table can ask of it. */
export interface VirtualTableHandle {
  show(index: number, where?: "nearest" | "middle"): void;
  focus(): void;
}

export interface VirtualTableProps<Row> {
  /** For screen readers: "Batches". */
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly count: number;
  /** Of every row, in CSS pixels; one line of text by default. */
  readonly rowHeight?: number;
  /** The row at an index from 0; undefined while it is being fetched. */
  readonly rowAt: (index: number) => Row | undefined;
  /** The row that the keyboard is at. */
  readonly active: number | null;
  /** `extend` where the rows from the active one up to this are to be selected: with Shift. */
  readonly onActivate: (index: number, extend: boolean) => void;
  /** The selected rows where it is not the active one alone. */
  readonly selection?: { readonly first: number; readonly last: number } | null;
  /** Enter on the active row, or a click on any. A click makes it active first. */
  readonly onOpen?: (index: number) => void;
  /** Any other key while the table itself has the focus. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTableElement>) => void;
  /** Called with the rows that are drawn, so that they can be fetched. */
  readonly onRange?: (first: number, last: number) => void;
  readonly sort?: TableSort | null;
  readonly onSort?: (column: string) => void;
  /** Moves the edge of a column that has a width. */
  readonly onResize?: (column: string, width: number) => void;
  /** A word for the look of a row, set as its `data-tone`. */
  readonly toneOf?: (row: Row) => string | undefined;
  readonly handle?: Ref<VirtualTableHandle>;
  /** Which rows these are, as a key: other rows start at their top, and who comes back finds the place where they were. */
  readonly rowsKey?: string;
  /** Shown below the head when there is no row. */
  readonly empty?: ReactNode;
}

/**
 * A table for any number of rows: only those in view are drawn, the head stays, arrows move, Enter opens. The table
 * itself keeps the focus and names its active row, so that a row can leave the view without the position being lost.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, count, active, onActivate, onOpen, onRange, handle, rowAt, toneOf, selection } = props;
  const { rowHeight = usualRowHeight } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const scrollerRef = useMergedRef(scroller, sizeRef);
  const columns = useMemo(() => columnsThatFit(props.columns, width), [props.columns, width]);
  const tracks = columns.map(({ track }) => track).join(" ");
  const rows = useRowWindow({ count, rowHeight, headHeight, scroller, rowsKey: props.rowsKey });
  const { first, last, show } = rows;

  useImperativeHandle(handle, () => ({ show, focus: () => table.current?.focus({ preventScroll: true }) }), [show]);
  useEffect(() => {
    if (last >= first) onRange?.(first, last);
  }, [first, last, onRange]);

  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      props.onKeyDown?.(event);
      return;
    }
    const next = rowAfterKey(event.key, active, count, rows.countVisible());
    if (next !== null) {
      event.preventDefault();
      show(next);
      if (next !== active) onActivate(next, event.shiftKey);
    } else if (event.key === "Enter" && active !== null) {
      event.preventDefault();
      onOpen?.(active);
    } else {
      props.onKeyDown?.(event);
    }
  };

  const click = (event: MouseEvent<HTMLTableElement>) => {
    const index = indexOfClick(event);
    if (index === null) return;
    onActivate(index, event.shiftKey);
    if (!event.shiftKey) onOpen?.(index);
  };

  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  return (
    <div ref={scrollerRef} className={classes.root} data-lines={rowHeight < twoLineHeight ? undefined : 2}>
      <table
        ref={table}
        className={classes.table}
        {...describeGrid(
          label,
          count,
          active !== null && active >= first && active <= last ? `${id}-${active}` : undefined,
          selection !== undefined,
        )}
        onKeyDown={press}
        onClick={click}
        onMouseDown={(event) => {
          // Shift selects rows here, not their text.
          if (!event.shiftKey || selection === undefined) return;
          event.preventDefault();
          event.currentTarget.focus({ preventScroll: true });
        }}
      >
        <TableHead
          columns={columns}
          tracks={tracks}
          sort={props.sort ?? null}
          onSort={props.onSort}
          onResize={props.onResize}
        />
        <tbody
          ref={rows.body}
          className={classes.body}
          style={{
            ["--height" as string]: `${rows.height}px`,
            ["--row-height" as string]: `${rowHeight}px`,
          }}
        >
          {indexes.map((index) => {
            const row = rowAt(index);
            return (
              <TableRow
                key={index}
                id={`${id}-${index}`}
                index={index}
                top={(index - first) * rowHeight}
                row={row}
                tone={row === undefined ? undefined : toneOf?.(row)}
                columns={columns}
                tracks={tracks}
                selected={selection ? index >= selection.first && index <= selection.last : index === active}
              />
            );
          })}
        </tbody>
      </table>
      {indexes.length === count ? null : (
        <p className={classes.paper}>
          Rows {formatNumber(first + 1)} to {formatNumber(last + 1)} of {formatNumber(count)}. Export the table to get
          all rows.
        </p>
      )}
      {count === 0 ? <div className={classes.empty}>{props.empty}</div> : null}
    </div>
  );
}

/** A table whose rows are moved through by keyboard is a grid (ARIA Authoring Practices, Grid). */
function describeGrid(
  label: string,
  count: number,
  activeId: string | undefined,
  selectsMany: boolean,
): ComponentProps<"table"> {
  return {
    role: "grid",
    "aria-multiselectable": selectsMany || undefined,
    tabIndex: 0,
    "aria-label": label,
    "aria-rowcount": count + 1,
    "aria-activedescendant": activeId,
  };
}

/** The row that was clicked; null for the head, and for a control in a row, which has its own meaning. */
function indexOfClick(event: MouseEvent): number | null {
  if (!(event.target instanceof Element) || event.target.closest("button, a, input, hr")) return null;
  if (!event.shiftKey && window.getSelection()?.type === "Range") return null;
  const row = event.target.closest<HTMLTableRowElement>("tbody > tr");
  return row?.dataset.index === undefined ? null : Number(row.dataset.index);
}

/** The frame of a table that is as high as its rows; one without rows has room for what is shown in their place. */
export function TableCard({ isEmpty, children }: { readonly isEmpty: boolean; readonly children: ReactNode }) {
  return (
    <div className={classes.card} data-empty={isEmpty || undefined}>
      {children}
    </div>
  );
}
