import { Button } from "@mantine/core";
import { IconTableOff } from "@tabler/icons-react";
import { type Ref, useCallback, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { LineVerdict, VerificationRun } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { EmptyState, ErrorCard, VirtualTable, type VirtualTableHandle } from "../../../components/index.ts";
import { resultColumns } from "./result-columns.tsx";
import { useResultRows } from "./result-rows.ts";
import classes from "./results-table.module.css";
import { VerdictFilter } from "./verdict-filter.tsx";

export interface ResultsTableProps {
  readonly batchId: string;
  /** All lines of the batch. */
  readonly total: number;
  /** Whether something may still come of the others. */
  readonly underWay: boolean;
  /** The line that is open in the inspector, from 1. */
  readonly line: number | null;
  readonly onLine: (line: number) => void;
  readonly handle: Ref<ResultsTableHandle>;
  /** Null when the batch has never been verified. */
  readonly verification: VerificationRun | null;
  /** The verdict of the lines that are shown; null for all lines. */
  readonly verdict: LineVerdict | null;
  readonly onVerdict: (verdict: LineVerdict | null) => void;
}

/** What the owner of the table can ask of it. */
export interface ResultsTableHandle {
  showLine(line: number, where: "nearest" | "middle"): void;
  /** Opens the line so many rows further on, among those that are shown. */
  step(by: number): void;
  focus(): void;
}

/** Every line of a batch beside what came of it, for any number of lines. */
export function ResultsTable(props: ResultsTableProps) {
  const { batchId, total, underWay, line, onLine, handle, verification, onVerdict } = props;
  const verdict = verification === null ? null : props.verdict;
  const [range, setRange] = useState({ first: 0, last: Math.min(total, 50) - 1 });
  const rows = useResultRows(batchId, range, verdict);
  const table = useRef<VirtualTableHandle>(null);
  const isVerified = verification !== null;
  const columns = useMemo(() => resultColumns(isVerified), [isVerified]);
  const count = verification === null || verdict === null ? total : verification.counts[verdict];
  const active = line === null ? null : rows.indexOf(line);
  const noteRange = useCallback((first: number, last: number) => setRange({ first, last }), []);
  const open = (index: number) => {
    const opened = verdict === null ? index + 1 : rows.rowAt(index)?.line;
    if (opened !== undefined) onLine(opened);
  };
  useImperativeHandle(handle, () => ({
    showLine(wanted, where) {
      const index = rows.indexOf(wanted);
      if (index !== null) table.current?.show(index, where);
    },
    step(by) {
      const next = (active ?? -1) + by;
      if (next < 0 || next >= count) return;
      table.current?.show(next);
      open(next);
    },
    focus: () => table.current?.focus(),
  }));

  if (rows.error) {
    return (
      <div className={classes.error}>
        <ErrorCard title="The lines could not be read" {...describeError(rows.error)} onRetry={rows.retry} />
      </div>
    );
  }
  return (
    <>
      {verification === null ? null : (
        <VerdictFilter run={verification} total={total} verdict={verdict} onVerdict={onVerdict} />
      )}
      <div className={classes.card} data-empty={count === 0 || undefined}>
        <VirtualTable
          // Another choice of lines starts at its top.
          key={verdict}
          label="Results"
          handle={table}
          columns={columns}
          count={count}
          rowAt={rows.rowAt}
          active={active}
          onActivate={open}
          onRange={noteRange}
          empty={<NoRows underWay={underWay} verdict={verdict} onShowAll={() => onVerdict(null)} />}
        />
      </div>
    </>
  );
}

interface NoRowsProps {
  readonly underWay: boolean;
  readonly verdict: LineVerdict | null;
  readonly onShowAll: () => void;
}

const noneWith: Readonly<Record<LineVerdict, string>> = {
  contradicted: "No answer is contradicted",
  not_found: "Nothing is missing in the document",
  supported: "No answer is supported",
  not_checkable: "Every verified answer could be checked",
};

function NoRows({ underWay, verdict, onShowAll }: NoRowsProps) {
  const icon = <IconTableOff size={24} stroke={1.5} />;
  if (verdict === null) {
    return <EmptyState icon={icon} title={underWay ? "The lines are being counted" : "No line ran"} />;
  }
  return (
    <EmptyState icon={icon} title={noneWith[verdict]} actions={<Button onClick={onShowAll}>Show all lines</Button>} />
  );
}
