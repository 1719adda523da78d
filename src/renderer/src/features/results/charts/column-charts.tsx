import { Select, Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { answerPrefix, filterMemberOf, findColumn, isInAnswer, type ResultChart } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ErrorCard, formatCount } from "../../../components/index.ts";
import { useResults } from "../results-context.tsx";
import { formatterOf } from "../table/column-looks.tsx";
import { groupColumns, nameColumn } from "../table/condition-menu.tsx";
import type { ResultColumn } from "../table/result-columns.tsx";
import classes from "./charts.module.css";
import { HistogramChart } from "./histogram-chart.tsx";
import { MeasureChart } from "./measure-chart.tsx";
import { barActions } from "./narrow-filter.ts";
import { ValueBars } from "./value-bars.tsx";

/** The lines by a column that the user chooses: how many have which value, and what another column comes to in each. */
export function ColumnCharts({ columns }: { readonly columns: readonly ResultColumn[] }) {
  const { search, onSearch } = useResults();
  const { chart: column, against: measure } = search;
  const offered = columns.filter(({ id }) => !findColumn(id)?.page?.isUnique);
  return (
    <>
      <fieldset className={classes.choice} aria-label="Chart of a column">
        <ColumnSelect
          label="Chart of"
          placeholder="Any column"
          columns={offered}
          value={column}
          onChange={(chosen) => onSearch({ chart: chosen, against: chosen === undefined ? undefined : measure })}
        />
        {column === undefined ? null : (
          <ColumnSelect
            label="against"
            placeholder="Nothing"
            columns={offered.filter(({ id }) => id !== column)}
            value={measure}
            onChange={(chosen) => onSearch({ against: chosen })}
          />
        )}
      </fieldset>
      {column === undefined ? null : (
        <Charts
          // The bars of another column are never shown under the title of this one.
          key={JSON.stringify([column, measure])}
          columns={columns}
          column={column}
          measure={measure === column ? undefined : measure}
        />
      )}
    </>
  );
}

interface ColumnSelectProps {
  readonly label: string;
  readonly placeholder: string;
  readonly columns: readonly ResultColumn[];
  readonly value: string | undefined;
  readonly onChange: (path: string | undefined) => void;
}

function ColumnSelect({ label, placeholder, columns, value, onChange }: ColumnSelectProps) {
  const isKnown = value === undefined || columns.some(({ id }) => id === value);
  const groups = groupColumns(columns);
  return (
    <Select
      size="xs"
      label={label}
      classNames={{ root: classes.select }}
      placeholder={placeholder}
      openOnFocus={false}
      // A column that is in the address may be in answers that have not been seen.
      data={isKnown ? groups : [...groups, { group: "Chosen", items: [{ value, label: nameColumn(value, columns) }] }]}
      value={value ?? null}
      searchable
      clearable
      clearButtonProps={{ "aria-label": `${label}: none` }}
      maxDropdownHeight={300}
      onChange={(path) => onChange(path ?? undefined)}
    />
  );
}

/** A chart, and how many bars it has: 0 while that is not known. */
export interface CountedChart {
  readonly chart: ReactNode;
  readonly bars: number;
}

/** The fields of the answers, each as a chart, as far as it has few enough values. */
export function useFieldCharts(columns: readonly ResultColumn[]): readonly CountedChart[] {
  const { fields, search } = useResults();
  // While a chart is read again by another filter, it has the bars that it had: it does not move twice.
  const [bars, setBars] = useState<Readonly<Record<string, number>>>({});
  return fields
    .map((field) => `${answerPrefix}${field}`)
    .filter((path) => path !== search.chart)
    .map((path) => {
      const noteBars = (count: number) =>
        setBars((known) => (known[path] === count ? known : { ...known, [path]: count }));
      const chart = (
        <Charts key={path} columns={columns} column={path} measure={undefined} isOptional onBars={noteBars} />
      );
      return { chart, bars: bars[path] ?? 0 };
    });
}

interface ChartsProps {
  /** All columns that there are. */
  readonly columns: readonly ResultColumn[];
  readonly column: string;
  readonly measure: string | undefined;
  /** Whether nothing is shown of a column that makes no chart. */
  readonly isOptional?: boolean;
  /** Called with the number of its bars once it has been read. */
  readonly onBars?: (count: number) => void;
}

function Charts({ columns, column, measure, isOptional = false, onBars }: ChartsProps) {
  const results = useResults();
  const { batch, batchId, merged, filter } = results;
  const { data, error, refetch } = useQuery(
    useApi().results.chart.queryOptions({
      input: { batchId, filter, column, ...(measure !== undefined && { measure }), ...(merged && { merged }) },
      staleTime: 2_000,
      retry: false,
      placeholderData: keepPreviousData,
    }),
  );
  const bars = data ? countBars(data) : null;
  useEffect(() => {
    if (bars !== null) onBars?.(bars);
  }, [bars, onBars]);
  const title = nameColumn(column, columns);
  if (error) {
    const failure = `“${title}” could not be counted`;
    return <ErrorCard title={failure} {...describeError(error)} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return (
      <div className={classes.card} role="status" aria-label="The column is being read">
        <h2 className={classes.title}>{title}</h2>
        <Skeleton height={10} mt={16} />
        <Skeleton height={10} mt={16} width="70%" />
        <Skeleton height={10} mt={16} mb={6} width="40%" />
      </div>
    );
  }
  const fileName = `${batch.name}-${title}`;
  // Free texts differ in nearly every line: their bars say nothing.
  if (isOptional && countOthers(data) > data.known / 2) return null;
  if (data.hasTooManyValues || data.groups.length === 0) {
    return isOptional ? null : (
      <section className={classes.card} aria-label={title}>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.figures}>
          {data.areObjects
            ? "Its values are objects, not categories. Choose one of their fields."
            : data.hasTooManyValues
              ? "It has too many different values for bars. Charts are for categories and numbers."
              : "No line has a value in this column."}
        </p>
      </section>
    );
  }
  const actions = barActions(results, column);
  // Other columns have values for lines without one, such as a status.
  const hasEmptyBar = data.empty > 0 && filterMemberOf(column) === undefined;
  return (
    <>
      {data.histogram === null ? (
        <ValueBars
          {...actions}
          title={title}
          fileName={fileName}
          column={column}
          groups={hasEmptyBar ? [...data.groups, { value: "", count: data.empty, isEmpty: true }] : data.groups}
          whole={data.known + (hasEmptyBar ? data.empty : 0)}
          note={describeMissing(data, column, hasEmptyBar)}
        />
      ) : (
        <HistogramChart
          {...actions}
          title={title}
          fileName={fileName}
          histogram={data.histogram}
          format={formatterOf(column)}
          note={describeMissing(data, column, false)}
        />
      )}
      {measure === undefined || data.measure === null ? null : (
        <MeasureChart
          {...actions}
          title={`${nameColumn(measure, columns)} by ${title}`}
          fileName={`${fileName}-${measure}`}
          column={column}
          columnName={title}
          measure={measure}
          groups={data.groups}
          measured={data.measure}
        />
      )}
    </>
  );
}

/** How many bars a chart has: of a histogram, those that are not empty. */
export function countBars({ histogram, groups }: Pick<ResultChart, "histogram" | "groups">): number {
  return histogram === null ? groups.length : histogram.counts.filter((count) => count > 0).length;
}

/** Lines whose values have no bar. */
function countOthers({ known, groups }: ResultChart): number {
  return known - groups.reduce((sum, { count }) => sum + count, 0);
}

/** Lines that are not counted: those without a value, and of a column in the answers those without an answer. */
function describeMissing(
  { lines, known, empty }: ResultChart,
  column: string,
  hasEmptyBar: boolean,
): string | undefined {
  const rest = lines - known - empty;
  const notes = [
    !hasEmptyBar && empty > 0 ? `${formatCount(empty, "line")} without a value` : undefined,
    rest > 0 ? `${formatCount(rest, "line")} without ${isOfAnswers(column) ? "an answer" : "a value"}` : undefined,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join("; ");
}

function isOfAnswers(column: string): boolean {
  return isInAnswer(column) || findColumn(column)?.readFrom === "answer";
}
