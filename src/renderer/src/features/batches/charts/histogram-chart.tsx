import { BarChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { Button } from "@mantine/core";
import { useId, useRef } from "react";
import type { Histogram } from "#contract";
import { formatCount, formatNumber } from "../../../components/index.ts";
import classes from "./charts.module.css";
import { savePicture, saveText } from "./save-file.ts";

export interface HistogramChartProps {
  readonly title: string;
  /** For the names of files: `reviews-time`. */
  readonly fileName: string;
  readonly histogram: Histogram;
  readonly format: (value: number) => string;
  /** Shows the lines of a bar. */
  readonly onRange: (from: number, to: number) => void;
}

/** How numbers are spread: a bar for each range, its figures as a table below. */
export function HistogramChart({ title, fileName, histogram, format, onRange }: HistogramChartProps) {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const { count, sum, median, p95, least, most } = histogram;
  const bins = binsOf(histogram);
  const data = bins.map((bin) => ({ ...bin, name: format(bin.from) }));
  const writeTable = () => ["from,to,lines", ...bins.map((bin) => `${bin.from},${bin.to},${bin.lines}`)].join("\n");
  return (
    <section ref={card} className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 className={classes.title} id={id}>
          {title}
        </h2>
        <Button size="xs" variant="subtle" color="gray" onClick={() => saveText(`${fileName}.csv`, writeTable())}>
          CSV
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => savePicture(`${fileName}.png`, card.current?.querySelector("svg.recharts-surface"))}
        >
          PNG
        </Button>
      </div>
      <p className={classes.figures}>
        {formatCount(count, "line")}: {format(least)} to {format(most)}, median {format(median)}, 95% up to{" "}
        {format(p95)}, together {format(sum)}
      </p>
      <div aria-hidden>
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
              if (bin !== undefined) onRange(bin.from, bin.to);
            },
          }}
          tooltipAnimationDuration={0}
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
                      onClick={() => onRange(from, to)}
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
    </section>
  );
}

function binsOf({ counts, start, step }: Histogram) {
  return counts.map((lines, at) => ({ from: start + at * step, to: start + (at + 1) * step, lines }));
}
