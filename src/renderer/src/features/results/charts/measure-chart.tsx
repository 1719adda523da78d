import type { ChartGroup, ResultChart } from "#contract";
import { formatNumber, formatPart } from "../../../components/index.ts";
import { formatterOf, lookOfColumn } from "../table/column-looks.tsx";
import { BarCard, type BarCardProps } from "./bar-card.tsx";
import { type Bar, BarLegend, type BarTone, showLines } from "./bar-chart.tsx";
import classes from "./charts.module.css";
import type { BarActions } from "./narrow-filter.ts";

export interface MeasureChartProps extends Pick<BarActions, "onShow">, Pick<BarCardProps, "title" | "fileName"> {
  readonly column: string;
  /** What the column is called. */
  readonly columnName: string;
  readonly measure: string;
  readonly groups: readonly ChartGroup[];
  readonly measured: NonNullable<ResultChart["measure"]>;
}

/** What a column comes to in each group of another one: its mean, or how many lines have which of its values. */
export function MeasureChart(props: MeasureChartProps) {
  const { title, fileName, column, columnName, measure, measured, onShow } = props;
  const groups = props.groups.flatMap(({ measured, ...group }) =>
    measured === null || measured.lines === 0 ? [] : [{ ...group, measured, name: nameGroup(group, column) }],
  );
  const { heads, figuresOf, formatFigure, barOf, whole, legend, note } = measured.areNumbers
    ? showMeans(
        measure,
        groups.map((group) => group.measured),
      )
    : showShares(measure, measured.values);
  return (
    <BarCard
      title={title}
      fileName={fileName}
      table={() => [[columnName, ...heads], ...groups.map(({ name, measured }) => [name, ...figuresOf(measured)])]}
      whole={whole}
      longest={whole}
      bars={groups.map((group) => ({
        ...barOf(group.measured),
        key: group.value,
        label: group.name,
        tone: "accent",
        opens: showLines(group.name, () => onShow(group)),
      }))}
      note={note}
    >
      {legend.length > 1 ? <BarLegend parts={legend} /> : null}
      <details className={classes.details}>
        <summary>As a table</summary>
        <table className={classes.table}>
          <thead>
            <tr>
              {[columnName, ...heads].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ value, name, measured }) => (
              <tr key={value}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                {figuresOf(measured).map((figure, at) => (
                  <td key={heads[at]}>{formatFigure(figure, at)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </BarCard>
  );
}

function nameGroup({ value, isCut, range }: Pick<ChartGroup, "value" | "isCut" | "range">, column: string): string {
  const format = formatterOf(column);
  if (range !== null) return `${format(range.from)} to ${format(range.to)}`;
  return isCut ? `${value}…` : lookOfColumn(column).wordOf(value);
}

type Measured = NonNullable<ChartGroup["measured"]>;

/** A measure as a chart, and as a table. */
interface MeasureView {
  /** Of the figures of a group. */
  readonly heads: readonly string[];
  readonly figuresOf: (measured: Measured) => readonly number[];
  readonly formatFigure: (figure: number, at: number) => string;
  readonly barOf: (measured: Measured) => Pick<Bar, "count" | "figure" | "parts">;
  readonly whole: number;
  readonly legend: readonly { readonly word: string; readonly tone: BarTone }[];
  readonly note: string;
}

/** Numbers: a bar is as long as the mean. */
function showMeans(measure: string, measured: readonly Measured[]): MeasureView {
  const format = formatterOf(measure);
  const sizeOf = ({ mean }: Measured) => Math.abs(mean ?? 0);
  return {
    heads: ["lines", "mean"],
    figuresOf: ({ lines, mean }) => [lines, mean ?? 0],
    formatFigure: (figure, at) => (at === 1 ? format(figure) : formatNumber(figure)),
    barOf: (group) => ({ count: sizeOf(group), figure: format(group.mean ?? 0) }),
    whole: Math.max(...measured.map(sizeOf)),
    legend: [],
    note: "The mean of each group.",
  };
}

const partTones: readonly BarTone[] = ["part1", "part2", "part3", "part4", "part5", "part6"];

/** Words: a bar is made of the shares of its values. */
function showShares(measure: string, values: readonly string[]): MeasureView {
  const { wordOf, toneOf, compare, headline, note = "" } = lookOfColumn(measure);
  const parts = values
    .map((value, at) => ({ value, at, word: wordOf(value), tone: toneOf?.(value) ?? partTones[at] ?? "open" }))
    .sort((a, b) => compare(a.value, b.value));
  const main = headline ?? parts[0]?.value ?? "";
  const mainAt = values.indexOf(main);
  const shareOf = ({ counts, lines }: Measured, at: number) => (counts[at] ?? 0) / lines;
  return {
    heads: [...parts.map(({ word }) => word), "lines"],
    figuresOf: ({ counts, lines }) => [...parts.map(({ at }) => counts[at] ?? 0), lines],
    formatFigure: formatNumber,
    barOf: (group) => ({
      count: 1,
      figure: formatPart(shareOf(group, mainAt)),
      parts: parts.map(({ value, at, tone }) => ({ key: value, tone, count: shareOf(group, at) })),
    }),
    whole: 1,
    legend: parts,
    note: `The figures are the share of “${wordOf(main)}”. ${note}`.trim(),
  };
}
