import { IconTableOff } from "@tabler/icons-react";
import { type Ref, useCallback, useState } from "react";
import { describeError } from "../../../bridge/index.ts";
import { EmptyState, ErrorCard, VirtualTable, type VirtualTableHandle } from "../../../components/index.ts";
import { useLiveResults } from "../live/use-live-results.ts";
import { useResultRows } from "../live/use-result-rows.ts";
import { resultColumns } from "./result-columns.tsx";
import classes from "./results-table.module.css";

export interface ResultsTableProps {
  readonly batchId: string;
  /** All lines of the batch. */
  readonly total: number;
  /** Those that have come to something. */
  readonly ended: number;
  /** Whether something may still come of the others. */
  readonly underWay: boolean;
  /** The line that is open in the inspector, from 1. */
  readonly line: number | null;
  readonly onLine: (line: number) => void;
  readonly handle: Ref<VirtualTableHandle>;
}

/** Every line of a batch beside what came of it, for any number of lines. */
export function ResultsTable(props: ResultsTableProps) {
  const { batchId, total, ended, underWay, line, onLine, handle } = props;
  const [range, setRange] = useState({ first: 0, last: Math.min(total, 50) - 1 });
  const rows = useResultRows(batchId, range);
  useLiveResults({ batchId, ended, underWay });
  const noteRange = useCallback((first: number, last: number) => setRange({ first, last }), []);

  if (rows.error) {
    return (
      <div className={classes.error}>
        <ErrorCard title="The lines could not be read" {...describeError(rows.error)} onRetry={rows.retry} />
      </div>
    );
  }
  return (
    <div className={classes.card} data-empty={total === 0 || undefined}>
      <VirtualTable
        label="Results"
        handle={handle}
        columns={resultColumns}
        count={total}
        rowAt={rows.rowAt}
        active={line === null ? null : line - 1}
        onActivate={(index) => onLine(index + 1)}
        onRange={noteRange}
        empty={
          <EmptyState
            icon={<IconTableOff size={24} stroke={1.5} />}
            title={underWay ? "The lines are being counted" : "No line ran"}
          />
        }
      />
    </div>
  );
}
