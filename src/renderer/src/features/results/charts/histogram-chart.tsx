import { BarChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { useRef } from "react";
import { type Histogram, histogramRange } from "#contract";
import { formatCount, formatNumber } from "../../../components/index.ts";
import { ChartCard } from "./chart-card.tsx";
import classes from "./charts.module.css";
import type { BarActions } from "./narrow-filter.ts";
import { savePicture } from "./save-file.ts";

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
  const data = bins.map((bin) => ({ ...bin, name: format(bin.from) }));
  return (
    <ChartCard
      title={title}
      fileName={fileName}
      table={() => [["from", "to", "lines"], ...bins.map(({ from, to, lines }) => [from, to, lines])]}
      onPicture={() => savePicture(`${fileName}.png`, chart.current?.querySelector("svg.recharts-surface"))}
    >
      <p className={classes.figures}>
        {formatCount(count, "line")}: {format(least)} to {format(most)}, median {format(median)}, 95% up to{" "}
        {format(p95)}, together {format(sum)}
        {note === undefined ? null : `; ${note}`}
      </p>
      <div ref={chart} aria-hidden>
        <BarChart
          h={170}
          data={data}
          dataKey="name"
          series={[{ name: "lines", label: "Lines", color: "var(--accent)" }]}
          tickLine="none"
          gridAxis="x"
          valueFormatter={formatNumber}
          barProps={{
            isAnimationActive: false,
            cursor: "pointer",
            onClick: (_, index) => {
              const bin = bins[index];
              if (bin !== undefined) onNarrow({ range: bin });
            },
          }}
          tooltipAnimationDuration={0}
          // Without a pointer, the table below has the same figures.
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
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
