import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconSearch, IconTableOff } from "@tabler/icons-react";
import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef, useState } from "react";
import { answerPrefix, finalStatuses, type ResultHit, sourcePrefix } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import {
  EmptyState,
  ErrorCard,
  modKey,
  nextSort,
  TableCard,
  twoLineHeight,
  useOpenRow,
  useRowRange,
  useSharedStart,
  VirtualTable,
  type VirtualTableHandle,
} from "../../../components/index.ts";
import { useResultSummary } from "../../../queries/batch-queries.ts";
import { useShortcuts } from "../../../state/shortcuts.ts";
import { gradedField } from "../grading/graded-field.ts";
import { useResults } from "../results-context.tsx";
import { hasFilter } from "../search-params.ts";
import { RetryChosen, useCopyRows } from "./chosen-rows.tsx";
import { ColumnsMenu } from "./columns-menu.tsx";
import { useConstantColumns } from "./constant-columns.ts";
import { DensityButton } from "./density-button.tsx";
import { FindBar } from "./find-bar.tsx";
import { chooseColumns, layOutColumns, listResultColumns } from "./result-columns.tsx";
import { useDensity, useResultLayout } from "./result-layout.ts";
import { useResultRows } from "./result-rows.ts";
import { ResultsFilter } from "./results-filter.tsx";
import classes from "./results-table.module.css";
import { useAnswerPaths, useMeasures } from "./use-seen-rows.ts";

export interface ResultsTableProps {
  readonly handle: Ref<ResultsTableHandle>;
  /** Asks chosen lines again; null while the batch is under way. */
  readonly onRetry: ((lines: readonly number[]) => void) | null;
}

/** What the owner of the table can ask of it. */
export interface ResultsTableHandle {
  showLine(line: number): void;
  /** Opens the line so many rows further on, among those that are shown. */
  step(by: number): void;
  focus(): void;
}

/** Every line of a batch with its answer, for any number of lines. */
export function ResultsTable({ handle, onRetry }: ResultsTableProps) {
  const results = useResults();
  const { batch, batchId, search, onSearch, filter, merged, fields, onShowFields } = results;
  const { total } = batch.counts;
  const line = search.line ?? null;
  const onLine = (line: number) => onSearch({ line });
  const isFiltered = hasFilter(filter);
  const graded = gradedField(results.grading.run);
  const gradedColumn = results.grading.run?.column ?? null;
  const { layout, sources, pictures, usual, change } = useResultLayout(batchId, { fields, gradedColumn });
  const { sort = null } = search;
  const [range, noteRange] = useRowRange({ first: 0, last: Math.min(total, 50) - 1 });
  // Which picture of a request a column has depends on those before it.
  const shownSources = [...new Set([...(layout.shown ?? usual), ...pictures])].filter((id) =>
    id.startsWith(sourcePrefix),
  );
  const cells = shownSources.map((id) => id.slice(sourcePrefix.length));
  const expectedIn = gradedColumn !== null && sources.includes(gradedColumn) ? gradedColumn : null;
  if (expectedIn !== null && !cells.includes(expectedIn)) cells.push(expectedIn);
  const rows = useResultRows(range, { sort, sourceColumns: cells });
  const { data: summary = null } = useResultSummary(batchId, merged);
  const table = useRef<VirtualTableHandle>(null);

  const { paths, numeric, decimals } = useAnswerPaths(rows, range, fields, layout.shown);
  const questionStart = useSharedStart(batchId, rows.rowAt, range);
  const isVerified = results.verified !== null;
  const isGraded = results.grading.run !== null;
  const hasCost = batch.cost !== null;
  const hasTimes = batch.remote === null || (summary !== null && summary.milliseconds !== null);
  const all = useMemo(
    () =>
      listResultColumns({
        isVerified,
        isGraded,
        hasCost,
        hasTimes,
        paths,
        numeric,
        decimals,
        sources,
        pictures: { paths: pictures, batchId, merged },
        questionStart,
        graded:
          graded === null || expectedIn === null
            ? null
            : { field: `${answerPrefix}${graded}`, expected: `${sourcePrefix}${expectedIn}` },
        find: search.q,
      }),
    [
      isVerified,
      isGraded,
      hasCost,
      hasTimes,
      paths,
      numeric,
      decimals,
      sources,
      pictures,
      batchId,
      merged,
      questionStart,
      graded,
      expectedIn,
      search.q,
    ],
  );
  const chosen = useMemo(() => chooseColumns(all, layout, usual), [all, layout, usual]);
  const measures = useMeasures(`${batchId} ${merged}`, chosen, rows, range);
  const found = useConstantColumns(chosen, rows, range);
  const { columns, constants } = useMemo(() => {
    // Chosen columns stay, and so does one that was put back.
    const constants = layout.shown === null ? found.filter(({ id }) => !layout.unfolded.includes(id)) : [];
    const left = chosen.filter(({ id }) => !constants.some((constant) => constant.id === id));
    return { constants, columns: layOutColumns(left, layout, measures) };
  }, [found, chosen, layout, measures]);
  const hasTwoLines = useDensity((state) => state.hasTwoLines);

  const shown = isFiltered ? rows.total : total;
  // While it is not known how many there are, there is room for one page.
  const count = shown ?? Math.min(total, 50);
  const rowsKey = JSON.stringify([batchId, filter, sort, merged]);
  const lineAt = (index: number) => (isFiltered || sort !== null ? rows.rowAt(index)?.line : index + 1);
  const { active, open, step } = useOpenRow({
    rowsKey,
    line,
    count: shown,
    lineAt,
    indexOf: rows.indexOf,
    queryRow: rows.queryRow,
    onLine,
    table,
  });
  /** Where a selection of several rows began and ends: rows of another order are others. */
  const [chosenRows, setChosenRows] = useState<{ readonly of: string; readonly from: number; readonly to: number }>();
  const selected = chosenRows?.of === rowsKey ? chosenRows : null;
  const setSelected = (rows: { readonly from: number; readonly to: number } | null) =>
    setChosenRows(rows === null ? undefined : { of: rowsKey, ...rows });
  const selection = selected && {
    first: Math.min(selected.from, selected.to),
    last: Math.min(count - 1, Math.max(selected.from, selected.to)),
  };
  const activate = (index: number, extend: boolean) => {
    setSelected(extend ? { from: selected?.from ?? active ?? index, to: index } : null);
    if (!extend) open(index);
  };
  const [isFinding, setFinding] = useState(search.q !== undefined);
  /** The row that was found last: its line may not have been fetched yet. */
  const [hit, setHit] = useState<(ResultHit & { readonly of: string }) | null>(null);
  useShortcuts("Lines", [{ keys: "mod+F", label: "Find in the lines", run: () => setFinding(true) }]);
  const copy = useCopyRows(sort, chosen);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape" && selected !== null) {
      event.stopPropagation();
      setSelected(null);
    }
    if (event.key.toLowerCase() !== "c" || !(event.ctrlKey || event.metaKey)) return;
    if (window.getSelection()?.type === "Range") return;
    event.preventDefault();
    if (selection !== null) void copy(selection.first, selection.last);
    else if (active !== null) void copy(active, active);
  };
  useImperativeHandle(handle, () => ({
    showLine(wanted) {
      const index = rows.indexOf(wanted);
      if (index !== null) table.current?.show(index);
    },
    step(by) {
      setSelected(null);
      step(by);
    },
    focus: () => table.current?.focus(),
  }));

  if (rows.error) {
    return (
      <div className={classes.error}>
        <ErrorCard
          title="The lines could not be read"
          {...describeError(rows.error)}
          onRetry={rows.retry}
          actions={
            // A column that they name may be gone.
            <>
              {isFiltered ? (
                <Button size="xs" onClick={() => results.onFilter({})}>
                  Remove the filters
                </Button>
              ) : null}
              {sort === null ? null : (
                <Button size="xs" onClick={() => onSearch({ sort: undefined })}>
                  Remove the order
                </Button>
              )}
            </>
          }
        />
      </div>
    );
  }
  return (
    <>
      <ResultsFilter
        summary={summary}
        columns={all}
        constants={constants}
        onUnfold={(id) => change({ unfolded: [...layout.unfolded, id] })}
        shown={shown}
        progress={rows.progress}
        onStop={() => {
          void rows.stop();
          if (sort !== null) onSearch({ sort: undefined });
        }}
      >
        {selection === null || onRetry === null ? null : (
          <RetryChosen selection={selection} sort={sort} onRetry={onRetry} />
        )}
        {isFinding ? (
          <FindBar
            sort={sort}
            row={hit !== null && hit.of === rowsKey && hit.line === line ? hit.row : active}
            onHit={(hit) => {
              setHit({ ...hit, of: rowsKey });
              setSelected(null);
              table.current?.show(hit.row, "middle");
              onLine(hit.line);
            }}
            onClose={() => {
              setFinding(false);
              onSearch({ q: undefined });
              table.current?.focus();
            }}
          />
        ) : (
          <Tooltip label={`Find in the lines (${modKey} F)`}>
            <ActionIcon
              size={28}
              variant="subtle"
              color="gray"
              aria-label="Find in the lines"
              onClick={() => setFinding(true)}
            >
              <IconSearch size={15} />
            </ActionIcon>
          </Tooltip>
        )}
        {onShowFields === null || layout.shown !== null ? null : (
          <Button size="xs" variant="subtle" onClick={onShowFields}>
            Show fields
          </Button>
        )}
        <DensityButton
          onToggled={() => {
            if (active !== null) requestAnimationFrame(() => table.current?.show(active));
          }}
        />
        <ColumnsMenu all={all} chosen={chosen} layout={layout} onChange={change} />
      </ResultsFilter>
      <TableCard isEmpty={count === 0}>
        <VirtualTable
          rowsKey={rowsKey}
          label="Results"
          handle={table}
          columns={columns}
          {...(hasTwoLines && { rowHeight: twoLineHeight })}
          count={count}
          rowAt={rows.rowAt}
          active={selected === null ? active : selected.to}
          selection={selection}
          onActivate={activate}
          onOpen={open}
          onKeyDown={press}
          onRange={noteRange}
          sort={sort && { column: sort.by, order: sort.descending ? "desc" : "asc" }}
          onSort={(by) => onSearch({ sort: sortAfterClick(sort, by) ?? undefined })}
          onResize={(id, width) => change({ widths: { ...layout.widths, [id]: width } })}
          empty={<NoRows isFiltered={isFiltered} />}
        />
      </TableCard>
    </>
  );
}

/** A third click on a header gives the order of the input back. */
function sortAfterClick(before: { by: string; descending: boolean } | null, by: string) {
  const now = before && { column: before.by, order: before.descending ? ("desc" as const) : ("asc" as const) };
  const first = by === "line" ? "desc" : "asc";
  if (now?.column === by && now.order !== first) return null;
  const next = nextSort(now, by, first);
  return { by: next.column, descending: next.order === "desc" };
}

function NoRows({ isFiltered }: { readonly isFiltered: boolean }) {
  const { batch, onFilter } = useResults();
  const icon = <IconTableOff size={24} stroke={1.5} />;
  return isFiltered ? (
    <EmptyState
      icon={icon}
      title="No line fits the filters"
      actions={<Button onClick={() => onFilter({})}>Show all lines</Button>}
    />
  ) : (
    <EmptyState icon={icon} title={finalStatuses.has(batch.status) ? "No line ran" : "The lines are being counted"} />
  );
}
