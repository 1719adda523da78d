import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, type Ref, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useStore } from "zustand";
import type { Source, SourceRow } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { ErrorCard, formatNumber } from "../../../components/index.ts";
import { useSession } from "../draft/session-context.ts";
import { measureColumns } from "./column-widths.ts";
import { moveSelection } from "./move-selection.ts";
import classes from "./rows-table.module.css";
import { useRows } from "./use-rows.ts";

const rowHeight = 30;

interface RowsTableProps {
  readonly source: Source;
}

/** The rows of the source. The selected one is previewed; a click or the arrow keys select another. */
export function RowsTable({ source }: RowsTableProps) {
  const { view, showRow } = useSession();
  const selected = Math.min(
    useStore(view, (state) => state.row),
    Math.max(1, source.rowCount),
  );
  const scroller = useRef<HTMLDivElement>(null);
  const selectedButton = useRef<HTMLButtonElement>(null);
  const isRequests = source.holds === "requests";
  const columns = isRequests ? ["line"] : source.columns;

  const virtualizer = useVirtualizer({
    count: source.rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollPaddingStart: rowHeight,
    // The selected row stays in the table when it is scrolled away: it is where Tab and the arrow keys begin.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), selected - 1])],
  });
  const rows = useRows(source.id, virtualizer.range, selected - 1);
  const layout = useColumnLayout(columns, rows.loaded, source.rowCount);

  useEffect(() => {
    virtualizer.scrollToIndex(selected - 1, { align: "auto" });
  }, [selected, virtualizer]);

  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = moveSelection(event.key, selected, source.rowCount, page);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    flushSync(() => showRow(next));
    selectedButton.current?.focus({ preventScroll: true });
  };

  if (rows.error !== null) {
    return <ErrorCard title="The rows could not be read" {...describeError(rows.error)} onRetry={rows.refetch} />;
  }
  return (
    <div ref={scroller} className={classes.scroller}>
      <table
        className={classes.table}
        style={layout}
        aria-label={`Rows of ${source.name}`}
        aria-rowcount={source.rowCount + 1}
        aria-colcount={columns.length + 1}
        onKeyDown={press}
      >
        <thead>
          <tr className={classes.head} aria-rowindex={1}>
            <th className={classes.number} scope="col">
              {isRequests ? "Line" : "Row"}
            </th>
            {columns.map((column) => (
              <th key={column} className={classes.cell} scope="col">
                {isRequests ? "Request" : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <Row
              key={index}
              number={index + 1}
              row={rows.find(index)}
              columns={columns}
              isSelected={index + 1 === selected}
              button={index + 1 === selected ? selectedButton : null}
              isCode={isRequests}
              top={start}
              onSelect={showRow}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly number: number;
  /** Undefined while it is fetched. */
  readonly row: SourceRow | undefined;
  readonly columns: readonly string[];
  readonly isSelected: boolean;
  readonly button: Ref<HTMLButtonElement>;
  readonly isCode: boolean;
  readonly top: number;
  readonly onSelect: (row: number) => void;
}

function Row({ number, row, columns, isSelected, button, isCode, top, onSelect }: RowProps) {
  return (
    <tr
      className={classes.row}
      aria-rowindex={number + 1}
      data-selected={isSelected || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onMouseDown={() => onSelect(number)}
    >
      <th className={classes.number} scope="row">
        <button
          type="button"
          ref={button}
          aria-label={`Preview row ${formatNumber(number)}`}
          aria-current={isSelected}
          tabIndex={isSelected ? 0 : -1}
          onClick={() => onSelect(number)}
        >
          {formatNumber(number)}
        </button>
      </th>
      {columns.map((column) => (
        <td key={column} className={classes.cell} data-code={isCode || undefined}>
          {row === undefined ? "…" : (row.cells[column] ?? "")}
        </td>
      ))}
    </tr>
  );
}

/** One grid template for all rows, from the first rows that came: columns don't move while one scrolls. */
function useColumnLayout(columns: readonly string[], loaded: readonly SourceRow[], rowCount: number): CSSProperties {
  const [sample, setSample] = useState<readonly SourceRow[]>([]);
  if (sample.length === 0 && loaded.length > 0) setSample(loaded);
  return useMemo(() => {
    const widths = measureColumns(columns, sample);
    const number = Math.max(4, formatNumber(rowCount).length + 2);
    const template = widths.map(({ least, weight }) => `minmax(${least}ch, ${weight}fr)`).join(" ");
    const least = widths.reduce((sum, width) => sum + width.least, number);
    return { "--columns": `${number}ch ${template}`, minWidth: `${least}ch` } as CSSProperties;
  }, [columns, sample, rowCount]);
}
