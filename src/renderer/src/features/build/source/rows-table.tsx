import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Source, SourceHead, SourceRow } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import {
  ErrorCard,
  formatNumber,
  type TableColumn,
  VirtualTable,
  type VirtualTableHandle,
} from "../../../components/index.ts";
import { useSession } from "../draft/draft-session.ts";
import classes from "./source.module.css";
import { measureColumn, useRows } from "./source-rows.ts";

interface RowsTableProps {
  readonly source: Source;
}

/** The rows of the source. The selected one is previewed; a click or the arrow keys select another. */
export function RowsTable({ source }: RowsTableProps) {
  const { view, showRow } = useSession();
  const row = useStore(view, (state) => state.row);
  const selected = Math.min(row, Math.max(1, source.rowCount)) - 1;
  const table = useRef<VirtualTableHandle>(null);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const rows = useRows(source.id, range);
  const columns = useColumns(source.holds === "requests" ? null : source.columns, source.rowCount, rows.loaded);
  const showRange = useCallback((first: number, last: number) => setRange({ first, last }), []);

  useEffect(() => table.current?.show(selected), [selected]);

  if (rows.error !== null) {
    return <ErrorCard title="The rows could not be read" {...describeError(rows.error)} onRetry={rows.refetch} />;
  }
  return (
    <div className={classes.rowsTable}>
      <VirtualTable
        label={`Rows of ${source.name}`}
        columns={columns}
        count={source.rowCount}
        rowAt={rows.find}
        active={selected}
        onActivate={(index) => showRow(index + 1)}
        onRange={showRange}
        handle={table}
      />
      {source.rowCount === 0 ? <NoRows source={source} /> : null}
    </div>
  );
}

interface HeadTableProps {
  readonly name: string;
  readonly head: SourceHead;
}

/** The first rows of a file that is still being read. */
export function HeadTable({ name, head: { columns: names, rows } }: HeadTableProps) {
  const [active, setActive] = useState(0);
  const columns = useColumns(names, rows.length, rows);
  return (
    <div className={classes.rowsTable}>
      <VirtualTable
        label={`First rows of ${name}`}
        columns={columns}
        count={rows.length}
        rowAt={(index) => rows[index]}
        active={active}
        onActivate={setActive}
      />
    </div>
  );
}

/** Reports that there are no rows; where the only line was read as the header, how to read it as a row. */
function NoRows({ source: { csv } }: RowsTableProps) {
  return (
    <p className={classes.noRows} role="status">
      <strong>No rows.</strong>{" "}
      {typeof csv?.header === "number"
        ? "There are no rows below the header row. To choose another header row, use “Change”."
        : "Choose a file with at least one row."}
    </p>
  );
}

/** Columns as wide as the first rows ask for: they don't move while one scrolls. */
function useColumns(names: readonly string[] | null, rowCount: number, loaded: readonly SourceRow[]) {
  const [sample, setSample] = useState<readonly SourceRow[]>([]);
  if (sample.length === 0 && loaded.length > 0) setSample(loaded);
  return useMemo(() => {
    const isCode = names === null;
    const shown = names ?? ["line"];
    const widths = shown.map((name) =>
      measureColumn(
        name,
        sample.map(({ cells }) => cells[name] ?? ""),
      ),
    );
    const numberWidth = 24 + formatNumber(rowCount).length * 8;
    const columns: TableColumn<SourceRow>[] = [
      { id: "row number", header: "#", track: `${numberWidth}px`, align: "end", render: renderNumber },
      ...shown.map((name, at) => ({
        id: `column ${name}`,
        header: isCode ? "Request" : name,
        track: `minmax(${widths[at]?.least ?? 0}px, ${widths[at]?.weight ?? 1}fr)`,
        render: ({ cells }: SourceRow) => (
          <span className={isCode ? classes.code : classes.cell} dir="auto">
            {cells[name]}
          </span>
        ),
      })),
    ];
    return columns;
  }, [names, rowCount, sample]);
}

function renderNumber({ row }: SourceRow) {
  return <span className={classes.rowNumber}>{formatNumber(row)}</span>;
}
