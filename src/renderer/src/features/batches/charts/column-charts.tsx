import { Select, Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ChartGroup, ResultChart, ResultFilter } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ErrorCard, formatCount, formatNumber, formatPart } from "../../../components/index.ts";
import { BarLegend, type BarTone, ShowLines } from "../bar-chart.tsx";
import { groupColumns, nameColumn } from "../results/condition-menu.tsx";
import type { ResultColumn } from "../results/result-columns.tsx";
import { BarCard } from "./bar-card.tsx";
import { formatterOf, lookOfColumn } from "./chart-values.tsx";
import classes from "./charts.module.css";
import { HistogramChart } from "./histogram-chart.tsx";
import { narrowFilter } from "./narrow-filter.ts";

/** Which column is charted, and which one against it. */
export interface ChartChoice {
  readonly column: string | undefined;
  readonly measure: string | undefined;
}

export interface ColumnChartsProps {
  readonly batchId: string;
  readonly name: string;
  readonly merged: boolean;
  readonly filter: ResultFilter;
  /** All columns that there are. */
  readonly columns: readonly ResultColumn[];
  readonly choice: ChartChoice;
  readonly onChoice: (choice: ChartChoice) => void;
  /** Leaves the lines of a bar. */
  readonly onNarrow: (filter: ResultFilter) => void;
  /** Shows them. */
  readonly onShow: (filter: ResultFilter) => void;
}

/** No two lines have the same of these. */
const unique = new Set(["line", "custom_id"]);

/** The lines by a column that the user chooses: how many have which value, and what another column comes to in each. */
export function ColumnCharts(props: ColumnChartsProps) {
  const { columns, choice, onChoice } = props;
  const { column, measure } = choice;
  const offered = columns.filter(({ id }) => !unique.has(id));
  return (
    <>
      <fieldset className={classes.choice} aria-label="Chart of a column">
        <ColumnSelect
          label="Chart of"
          placeholder="Any column"
          columns={offered}
          value={column}
          onChange={(chosen) => onChoice({ column: chosen, measure: chosen === undefined ? undefined : measure })}
        />
        {column === undefined ? null : (
          <ColumnSelect
            label="against"
            placeholder="Nothing"
            columns={offered.filter(({ id }) => id !== column)}
            value={measure}
            onChange={(chosen) => onChoice({ column, measure: chosen })}
          />
        )}
      </fieldset>
      {column === undefined ? null : (
        <Charts {...props} column={column} measure={measure === column ? undefined : measure} />
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

interface ChartsProps extends Omit<ColumnChartsProps, "choice"> {
  readonly column: string;
  readonly measure: string | undefined;
}

function Charts(props: ChartsProps) {
  const { batchId, name, merged, filter, columns, column, measure, onNarrow, onShow } = props;
  const { data, error, refetch } = useQuery(
    useApi().results.chart.queryOptions({
      input: { batchId, filter, column, ...(measure !== undefined && { measure }), ...(merged && { merged }) },
      staleTime: 2_000,
      retry: false,
      placeholderData: keepPreviousData,
    }),
  );
  if (error) {
    const failure = `“${nameColumn(column, columns)}” could not be counted`;
    return <ErrorCard title={failure} {...describeError(error)} onRetry={() => void refetch()} />;
  }
  const title = nameColumn(column, columns);
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
  const fileName = `${name}-${title}`;
  if (data.hasTooManyValues || data.groups.length === 0) {
    return (
      <section className={classes.card} aria-label={title}>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.figures}>
          {data.hasTooManyValues
            ? "It has too many different values for bars. Charts are for categories and numbers."
            : "No line has a value of it."}
        </p>
      </section>
    );
  }
  const narrow = (group: Pick<ChartGroup, "value" | "range" | "isCut">) => narrowFilter(filter, column, group);
  return (
    <>
      {data.histogram === null ? (
        <ValueBars {...props} title={title} fileName={fileName} data={data} narrow={narrow} />
      ) : (
        <HistogramChart
          title={title}
          fileName={fileName}
          histogram={data.histogram}
          format={formatterOf(column)}
          note={describeMissing(data)}
          onNarrow={(from, to) => onNarrow(narrow({ value: "", isCut: false, range: { from, to } }))}
          onShow={(from, to) => onShow(narrow({ value: "", isCut: false, range: { from, to } }))}
        />
      )}
      {measure === undefined || data.measure === null ? null : (
        <MeasureBars {...props} measure={measure} groupTitle={title} fileName={fileName} data={data} narrow={narrow} />
      )}
    </>
  );
}

interface BarsProps extends ChartsProps {
  readonly fileName: string;
  readonly data: ResultChart;
  readonly narrow: (group: ChartGroup) => ResultFilter;
}

/** How many lines have which value. */
function ValueBars({
  title,
  fileName,
  data,
  narrow,
  column,
  onNarrow,
  onShow,
}: BarsProps & { readonly title: string }) {
  const { wordOf, labelOf = wordOf, toneOf } = lookOfColumn(column);
  const shown = data.groups.reduce((sum, { count }) => sum + count, 0);
  const others = data.known - shown;
  const notes = [
    others > 0 ? `${formatCount(others, "line")} have other values` : null,
    describeMissing(data) ?? null,
  ].filter((note) => note !== null);
  return (
    <BarCard
      title={title}
      fileName={fileName}
      table={() => [[title, "lines"], ...data.groups.map(({ value, count }) => [value, count])]}
      bars={data.groups.map((group) => ({
        key: group.value,
        label: labelOf(group.value),
        count: group.count,
        tone: toneOf?.(group.value) ?? "accent",
        onClick: () => onNarrow(narrow(group)),
        action: <ShowLines of={wordOf(group.value)} onShow={() => onShow(narrow(group))} />,
      }))}
      whole={data.known}
      hasShares
      note={notes.length === 0 ? undefined : `${notes.join("; ")}.`}
    />
  );
}

function describeMissing({ lines, known }: ResultChart): string | undefined {
  return lines === known ? undefined : `${formatCount(lines - known, "line")} without a value`;
}

const partTones: readonly BarTone[] = ["part1", "part2", "part3", "part4", "part5", "part6"];

interface MeasureBarsProps extends BarsProps {
  readonly measure: string;
  readonly groupTitle: string;
}

/** What a column comes to in each group of another one: its mean, or how many lines have which of its values. */
function MeasureBars(props: MeasureBarsProps) {
  const { columns, column, measure, groupTitle, fileName, data, narrow, onNarrow, onShow } = props;
  const title = `${nameColumn(measure, columns)} by ${groupTitle}`;
  const { areNumbers = false, values = [] } = data.measure ?? {};
  const { wordOf, toneOf, order, told, note = "" } = lookOfColumn(measure);
  const parts = values
    .map((value, at) => ({ value, at, tone: toneOf?.(value) ?? partTones[at] ?? "open" }))
    .sort((a, b) => (order?.indexOf(a.value) ?? 0) - (order?.indexOf(b.value) ?? 0));
  const toldValue = told ?? parts[0]?.value ?? "";
  const toldAt = values.indexOf(toldValue);
  const format = formatterOf(measure);
  const formatGroup = formatterOf(column);
  const nameGroup = ({ value, range }: ChartGroup) =>
    range === null ? lookOfColumn(column).wordOf(value) : `${formatGroup(range.from)} to ${formatGroup(range.to)}`;
  const groups = data.groups.flatMap(({ measured, ...group }) =>
    measured === null || measured.lines === 0 ? [] : [{ ...group, measured }],
  );
  const largest = Math.max(...groups.map(({ measured }) => Math.abs(measured.mean ?? 0)));
  const figures = areNumbers ? ["lines", "mean"] : [...parts.map(({ value }) => wordOf(value)), "lines"];
  const figuresOf = ({ measured }: (typeof groups)[number]) =>
    areNumbers ? [measured.lines, measured.mean] : [...parts.map(({ at }) => measured.counts[at] ?? 0), measured.lines];
  const shareOf = ({ measured }: (typeof groups)[number]) => (measured.counts[toldAt] ?? 0) / measured.lines;
  return (
    <BarCard
      title={title}
      fileName={`${fileName}-${measure}`}
      table={() => [[groupTitle, ...figures], ...groups.map((group) => [nameGroup(group), ...figuresOf(group)])]}
      whole={areNumbers ? largest : 1}
      bars={groups.map((group) => ({
        key: group.value,
        label: nameGroup(group),
        count: Math.abs(group.measured.mean ?? 0),
        tone: "accent",
        figure: areNumbers ? format(group.measured.mean ?? 0) : formatPart(shareOf(group)),
        ...(areNumbers
          ? {}
          : {
              parts: parts.map(({ value, at, tone }) => ({
                key: value,
                tone,
                count: (group.measured.counts[at] ?? 0) / group.measured.lines,
              })),
            }),
        onClick: () => onNarrow(narrow(group)),
        action: <ShowLines of={nameGroup(group)} onShow={() => onShow(narrow(group))} />,
      }))}
      note={
        areNumbers ? "The mean of each group." : `The figures are the share of “${wordOf(toldValue)}”. ${note}`.trim()
      }
    >
      {parts.length > 1 ? <BarLegend parts={parts.map(({ value, tone }) => ({ word: wordOf(value), tone }))} /> : null}
      <details className={classes.details}>
        <summary>As a table</summary>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{groupTitle}</th>
              {figures.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.value}>
                <th scope="row" dir="auto">
                  {nameGroup(group)}
                </th>
                {figuresOf(group).map((value, at) => (
                  <td key={figures[at]}>{areNumbers && at === 1 ? format(value ?? 0) : formatNumber(value ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </BarCard>
  );
}
