import { type Ref, useRef } from "react";
import { type Histogram, histogramRange } from "#contract";
import { formatCount, formatNumber } from "../../../components/index.ts";
import { ChartCard } from "./chart-card.tsx";
import classes from "./charts.module.css";
import { listTicks } from "./list-ticks.ts";
import type { BarActions } from "./narrow-filter.ts";
import { saveBars } from "./save-file.ts";

export interface HistogramChartProps extends BarActions {
  readonly title: string;
  /** For the names of files: `reviews-time`. */
  readonly fileName: string;
  readonly histogram: Histogram;
  readonly format: (value: number) => string;
  /** What there is to know besides. */
  readonly note?: string | undefined;
}

/** How numbers are spread: a bar for each range, its figures as a table below. */
export function HistogramChart(props: HistogramChartProps) {
  const { title, fileName, histogram, format, note, onNarrow, onShow } = props;
  const chart = useRef<HTMLDivElement>(null);
  const { count, sum, median, p95, least, most } = histogram;
  const bins = histogram.counts.map((lines, at) => ({ ...histogramRange(histogram, at), lines }));
  return (
    <ChartCard
      title={title}
      fileName={fileName}
      table={() => [["from", "to", "lines"], ...bins.map(({ from, to, lines }) => [from, to, lines])]}
      onPicture={() => chart.current && saveBars(`${fileName}.png`, title, chart.current)}
    >
      <p className={classes.figures}>
        {formatCount(count, "line")}: {format(least)} to {format(most)}, median {format(median)}, 95% up to{" "}
        {format(p95)}, together {format(sum)}
        {note === undefined ? null : `; ${note}`}
      </p>
      <Bars ref={chart} bins={bins} format={format} onPick={(range) => onNarrow({ range })} />
      <details className={classes.details}>
        <summary>As a table</summary>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Below</th>
              <th scope="col">Lines</th>
            </tr>
          </thead>
          <tbody>
            {bins.map(({ from, to, lines }) => (
              <tr key={from}>
                <td>{format(from)}</td>
                <td>{format(to)}</td>
                <td>
                  {lines === 0 ? (
                    "0"
                  ) : (
                    <button
                      type="button"
                      className={classes.link}
                      aria-label={`Show ${formatCount(lines, "line")} from ${format(from)} to ${format(to)}`}
                      onClick={() => onShow({ range: { from, to } })}
                    >
                      {formatNumber(lines)}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </ChartCard>
  );
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly lines: number;
}

interface BarsProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly bins: readonly Bin[];
  readonly format: (value: number) => string;
  readonly onPick: (range: Pick<Bin, "from" | "to">) => void;
}

/** Names below the bars, at most. */
const mostNames = 8;

/** A bar for each range, named by where it begins. The table below has the same figures, and the same ways to the lines. */
function Bars({ ref, bins, format, onPick }: BarsProps) {
  const ticks = listTicks(Math.max(...bins.map(({ lines }) => lines)));
  const top = ticks.at(-1) ?? 1;
  const heightOf = (lines: number) => `${(lines / top) * 100}%`;
  const perName = Math.ceil(bins.length / mostNames);
  const named = bins.filter((_, at) => at % perName === 0);
  return (
    <div ref={ref} className={classes.histogram} aria-hidden>
      <div className={classes.plot}>
        {ticks.map((tick) => (
          <div key={tick} className={classes.tick} style={{ bottom: heightOf(tick) }}>
            <span data-drawn="text">{formatNumber(tick)}</span>
            <i data-drawn="bar" />
          </div>
        ))}
        <div className={classes.bars}>
          {bins.map(({ from, to, lines }) => (
            <button
              key={from}
              type="button"
              tabIndex={-1}
              disabled={lines === 0}
              title={`${format(from)} to ${format(to)}: ${formatCount(lines, "line")}`}
              onClick={() => onPick({ from, to })}
            >
              <span data-drawn="bar" style={{ height: heightOf(lines) }} />
            </button>
          ))}
        </div>
      </div>
      <div className={classes.names}>
        {named.map(({ from }, at) => (
          <span key={from} style={{ flex: Math.min(perName, bins.length - at * perName) }}>
            <span data-drawn="text">{format(from)}</span>
          </span>
        ))}
      </div>
    </div>
  );
}
