import { Button } from "@mantine/core";
import { IconTableOff } from "@tabler/icons-react";
import { type Ref, useCallback, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { GradeRun, VerificationRun } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { EmptyState, ErrorCard, TableCard, VirtualTable, type VirtualTableHandle } from "../../../components/index.ts";
import type { ResultsFilter as Filter } from "../search-params.ts";
import { createResultColumns } from "./result-columns.tsx";
import { hasFilter, useResultRows } from "./result-rows.ts";
import { ResultsFilter } from "./results-filter.tsx";
import classes from "./results-table.module.css";

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
  /** Null where there are no verdicts to show. */
  readonly verification: VerificationRun | null;
  /** Null where there are no grades to show. */
  readonly grading: GradeRun | null;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** What the owner of the table can ask of it. */
export interface ResultsTableHandle {
  showLine(line: number, where: "nearest" | "middle"): void;
  /** Opens the line so many rows further on, among those that are shown. */
  step(by: number): void;
  focus(): void;
}

/** Every line of a batch with its answer, for any number of lines. */
export function ResultsTable(props: ResultsTableProps) {
  const { batchId, total, underWay, line, onLine, handle, verification, grading, onFilter } = props;
  const { verdict, grade } = props.filter;
  const filter: Filter = {
    ...(verification !== null && verdict !== undefined && { verdict }),
    ...(grading !== null && grade !== undefined && { grade }),
  };
  const isFiltered = hasFilter(filter);
  const [range, setRange] = useState({ first: 0, last: Math.min(total, 50) - 1 });
  const rows = useResultRows(batchId, range, filter);
  const table = useRef<VirtualTableHandle>(null);
  const isVerified = verification !== null;
  const isGraded = grading !== null;
  const columns = useMemo(() => createResultColumns({ isVerified, isGraded }), [isVerified, isGraded]);
  const shown = isFiltered ? rows.total : total;
  // While it is not known how many there are, there is room for one page.
  const count = shown ?? Math.min(total, 50);
  const active = line === null ? null : rows.indexOf(line);
  const noteRange = useCallback((first: number, last: number) => setRange({ first, last }), []);
  const open = (index: number) => {
    const opened = isFiltered ? rows.rowAt(index)?.line : index + 1;
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
      <ResultsFilter
        verification={verification}
        grading={grading}
        filter={filter}
        onFilter={onFilter}
        total={total}
        shown={shown}
      />
      <TableCard isEmpty={count === 0}>
        <VirtualTable
          // Another choice of lines starts at its top.
          key={`${filter.verdict} ${filter.grade}`}
          label="Results"
          handle={table}
          columns={columns}
          count={count}
          rowAt={rows.rowAt}
          active={active}
          onActivate={open}
          onRange={noteRange}
          empty={<NoRows underWay={underWay} isFiltered={isFiltered} onShowAll={() => onFilter({})} />}
        />
      </TableCard>
    </>
  );
}

interface NoRowsProps {
  readonly underWay: boolean;
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
}

function NoRows({ underWay, isFiltered, onShowAll }: NoRowsProps) {
  const icon = <IconTableOff size={24} stroke={1.5} />;
  return isFiltered ? (
    <EmptyState
      icon={icon}
      title="No line fits the filters"
      actions={<Button onClick={onShowAll}>Show all lines</Button>}
    />
  ) : (
    <EmptyState icon={icon} title={underWay ? "The lines are being counted" : "No line ran"} />
  );
}
