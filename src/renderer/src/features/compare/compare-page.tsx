import { Button, Select } from "@mantine/core";
import { useDebouncedCallback, useMediaQuery } from "@mantine/hooks";
import { IconArrowsDiff, IconEqual } from "@tabler/icons-react";
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import {
  answerPrefix,
  type BatchView,
  type Comparison,
  type ComparisonFilter,
  finalStatuses,
  listDefaultColumns,
  sourcePrefix,
} from "#contract";
import { describeError } from "../../bridge/index.ts";
import {
  EmptyState,
  ErrorCard,
  formatCount,
  formatNumber,
  letterOf,
  SearchField,
  type SentColumns,
  TableCard,
  twoLineHeight,
  useOpenRow,
  useRowRange,
  useSharedStart,
  VirtualTable,
  type VirtualTableHandle,
} from "../../components/index.ts";
import { useAnswerFields, useSourceColumns } from "../../queries/batch-queries.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import classes from "./compare.module.css";
import { createCompareColumns } from "./compare-columns.tsx";
import { CompareFigures } from "./compare-figures.tsx";
import { CompareHead } from "./compare-head.tsx";
import { useComparison, useComparisonRows, useFreshComparison } from "./compare-queries.ts";
import { baselineOf, type CompareSearch, comparisonFilterOf, idsOf } from "./search-params.ts";
import { nameSides, namesOf } from "./side-names.ts";

/** What the owner of the page can ask of its table. */
export interface CompareTableHandle {
  /** Opens the line so many rows further on. */
  step(by: number): void;
  focus(): void;
}

export interface ComparePageProps {
  /** All that there are, the newest first. */
  readonly batches: readonly BatchView[];
  readonly search: CompareSearch;
  readonly onSearch: (change: Partial<CompareSearch>) => void;
  readonly onOpenBatch: (batchId: string) => void;
  readonly table: Ref<CompareTableHandle>;
}

/** Batches side by side, joined by custom_id. */
export function ComparePage(props: ComparePageProps) {
  const { batches, search } = props;
  const ids = idsOf(search);
  const chosen = ids.map((id) => batches.find((batch) => batch.id === id));
  const allNames = JSON.stringify(namesOf(ids, batches));
  const { start, names } = useMemo(() => nameSides(JSON.parse(allNames) as string[]), [allNames]);
  return (
    <>
      <CompareHead {...props} ids={ids} start={start} names={names} />
      {ids.length < 2 ? (
        <EmptyState icon={<IconArrowsDiff size={26} stroke={1.5} />} isPage title="Choose batches to compare">
          Batches that asked the same lines are laid side by side: which answers changed, and which batch was right more
          often, cost less and took less time.
        </EmptyState>
      ) : (
        <Compared key={ids.join()} {...props} ids={ids} chosen={chosen} names={names} />
      )}
    </>
  );
}

/** A row has room for two lines of an answer. */
const rowHeight = 52;

interface ComparedProps extends ComparePageProps {
  readonly ids: readonly string[];
  readonly chosen: readonly (BatchView | undefined)[];
  /** Of the batches, short. */
  readonly names: readonly string[];
}

function Compared({ ids, chosen, names, search, onSearch, table: handle }: ComparedProps) {
  const isLive = chosen.some((batch) => batch !== undefined && !finalStatuses.has(batch.status));
  useFreshComparison(chosen.map((batch) => batch?.status).join());
  const { by } = search;
  const baseline = baselineOf(search, ids);
  /** Lines are counted once a batch has been checked. */
  const isChecked = chosen.every((batch) => batch?.status !== "validating");
  const { data: comparison, error, refetch } = useComparison({ ids, by }, baseline, isLive, isChecked);
  const isLow = useMediaQuery("(max-height: 560px)", undefined, { getInitialValueInEffect: false });
  const [range, noteRange] = useRowRange({ first: 0, last: 49 });
  const filter = comparisonFilterOf(search);
  const { before, expected: likely, pictures } = useColumnsBefore(ids[0] ?? "");
  const expected = comparison?.expected ?? likely;
  const shown = [...before, ...(pictures?.paths ?? [])]
    .filter((path) => path.startsWith(sourcePrefix))
    .map((path) => path.slice(sourcePrefix.length));
  const sourceColumns = [...new Set([...shown, ...(expected === null ? [] : [expected])])];
  const rows = useComparisonRows({ ids, by, sourceColumns }, filter, range, isLive, isChecked);
  const table = useRef<VirtualTableHandle>(null);
  const comparedBy = comparison?.by ?? by ?? "answer";
  const questionStart = useSharedStart(ids.join(), rows.rowAt, range);
  const columns = useMemo(
    () => createCompareColumns({ names, baseline, before, expected, pictures, by: comparedBy, questionStart }),
    [names, baseline, before, expected, pictures, comparedBy, questionStart],
  );
  const rowsKey = JSON.stringify([ids, by, filter]);
  const { active, open, step } = useOpenRow({
    rowsKey,
    line: search.line ?? null,
    count: comparison === undefined ? null : rows.total,
    lineAt: (index) => rows.rowAt(index)?.line,
    indexOf: rows.indexOf,
    queryRow: rows.queryRow,
    onLine: (line) => onSearch({ line }),
    table,
  });
  const count = rows.total ?? (isChecked ? 8 : 0);
  useImperativeHandle(handle, () => ({ step, focus: () => table.current?.focus() }));
  useShortcuts("Compare", [
    { keys: "ArrowDown", label: "Next line" },
    { keys: "ArrowUp", label: "Previous line" },
    { keys: "Enter", label: "Show the answers side by side" },
  ]);
  const isThere = comparison !== undefined && comparison.lines > 0;
  useEffect(() => {
    if (isThere && (document.activeElement === document.body || document.activeElement?.id === "main"))
      table.current?.focus();
  }, [isThere]);

  const failure = error ?? rows.error;
  if (failure) {
    const retry = () => {
      void refetch();
      rows.retry();
    };
    return (
      <div className={classes.error}>
        <ErrorCard title="The batches could not be compared" {...describeError(failure)} onRetry={retry} />
      </div>
    );
  }
  if (comparison?.lines === 0) {
    return (
      <EmptyState icon={<IconArrowsDiff size={26} stroke={1.5} />} isPage title="These batches have no line in common">
        Lines are joined by their custom_id, and none stands in all of these batches. Leave one out, or choose another.
      </EmptyState>
    );
  }
  return (
    <>
      <CompareFigures
        comparison={comparison ?? null}
        batches={chosen}
        names={names}
        baseline={baseline}
        win={filter.win}
        isLow={isLow}
        onWin={(win) => onSearch({ show: "grades", ...win, line: undefined })}
      />
      <Filters
        comparison={comparison ?? null}
        first={chosen[0]}
        search={search}
        onSearch={onSearch}
        onLeave={() => table.current?.focus()}
      />
      <TableCard isEmpty={count === 0}>
        <VirtualTable
          rowsKey={rowsKey}
          label="Compared lines"
          handle={table}
          columns={columns}
          rowHeight={isLow ? twoLineHeight : rowHeight}
          count={count}
          rowAt={rows.rowAt}
          active={active}
          onActivate={open}
          onOpen={open}
          onRange={noteRange}
          empty={
            <EmptyState
              icon={<IconEqual size={24} stroke={1.5} />}
              title={isChecked ? describeNone(filter, comparison) : "The requests are being checked"}
              actions={
                isChecked ? (
                  <Button onClick={() => onSearch({ show: "all", winner: undefined })}>Show all lines</Button>
                ) : null
              }
            />
          }
        />
      </TableCard>
    </>
  );
}

/** The default columns of the first batch without its answers, which stand in columns by batch; and what its lines expect. */
function useColumnsBefore(batchId: string) {
  const source = useSourceColumns(batchId);
  return useMemo(() => {
    const before = listDefaultColumns(source, []).filter((path) => path !== "answer");
    const pictures: SentColumns | null = source.pictures === undefined ? null : { paths: source.pictures, batchId };
    return { before, expected: source.expected, pictures };
  }, [source, batchId]);
}

/** Why no line is shown. */
function describeNone({ show, search }: ComparisonFilter, comparison: Comparison | undefined): string {
  if (show !== "changed" || search !== undefined) return "No line fits the filter";
  return comparison?.answered === 0 ? "No line is answered in all batches" : "No answer changed";
}

interface FiltersProps {
  readonly comparison: Comparison | null;
  /** The first of the batches; undefined where it is gone. */
  readonly first: BatchView | undefined;
  readonly search: CompareSearch;
  readonly onSearch: (change: Partial<CompareSearch>) => void;
  /** From the search into the table. */
  readonly onLeave: () => void;
}

/** What is compared, and which lines are shown. Its row is there from the start, so that nothing pushes the table. */
function Filters({ comparison, first, search, onSearch, onLeave }: FiltersProps) {
  const { show, win } = comparisonFilterOf(search);
  const choices = [
    { label: "Changed", count: comparison?.changed, show: "changed" },
    { label: "Grade differs", count: comparison?.grades, show: "grades" },
    { label: "Not answered by all", count: comparison?.unanswered, show: "unanswered" },
    { label: "All", count: comparison?.lines, show: "all" },
  ] as const;
  const choose = (chosen: (typeof choices)[number]["show"]) =>
    onSearch({ show: chosen, winner: undefined, loser: undefined, line: undefined });
  return (
    <section className={classes.filters} aria-label="Which lines are shown">
      <ComparedBy
        batch={first}
        by={search.by ?? comparison?.by ?? "answer"}
        onChange={(by) => onSearch({ by, line: undefined })}
      />
      {choices.map((choice) =>
        choice.count === 0 && choice.show !== "changed" && choice.show !== show ? null : (
          <button
            key={choice.label}
            type="button"
            className={classes.filter}
            aria-pressed={choice.show === show && win === undefined}
            onClick={() => choose(choice.show)}
          >
            {choice.label} {choice.count === undefined ? "" : formatNumber(choice.count)}
          </button>
        ),
      )}
      {win === undefined ? null : (
        <button type="button" className={classes.filter} aria-pressed="true" onClick={() => choose("changed")}>
          {letterOf(win.winner)} right, {letterOf(win.loser)} wrong ×
        </button>
      )}
      <output className={classes.beside}>{comparison === null ? "" : describeRest(comparison)}</output>
      <Find value={search.find} onChange={(find) => onSearch({ find, line: undefined })} onLeave={onLeave} />
    </section>
  );
}

interface ComparedByProps {
  /** The first of the batches: paths are those of its answers. Undefined where it is gone. */
  readonly batch: BatchView | undefined;
  readonly by: string;
  readonly onChange: (by: string) => void;
}

/** What of the answers is compared: all of it, or what is at a path into JSON. */
function ComparedBy({ batch, by, onChange }: ComparedByProps) {
  const fields = useAnswerFields(batch).found ?? [];
  const paths = fields.map((field) => `${answerPrefix}${field}`);
  if (paths.length === 0 && by === "answer") return null;
  const values = [...new Set(["answer", by, ...paths])];
  return (
    <Select
      size="xs"
      className={classes.by}
      aria-label="What is compared"
      searchable
      allowDeselect={false}
      withCheckIcon={false}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      data={values.map((value) => ({ value, label: value === "answer" ? "Whole answer" : value }))}
      value={by}
      onChange={(value) => value !== null && onChange(value)}
    />
  );
}

interface FindProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly onLeave: () => void;
}

/** How long after the last letter a text is searched, in milliseconds. */
const searchDelay = 250;

/** Searches the requests and answers of all the batches. */
function Find({ value, onChange, onLeave }: FindProps) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback(onChange, searchDelay);
  return (
    <SearchField
      ref={null}
      className={classes.find}
      label="Search the compared lines"
      placeholder="Search"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        search(text);
      }}
      onLeave={onLeave}
    />
  );
}

/** Lines that can't be compared, because not all of the batches have them. */
function describeRest({ batches, lines }: Comparison): string {
  const rest = batches.flatMap(({ lines: own }, place) =>
    own > lines ? [`${formatCount(own - lines, "line")} of ${letterOf(place)}`] : [],
  );
  return rest.length === 0 ? "" : `Not in all batches: ${rest.join(", ")}`;
}
