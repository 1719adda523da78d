import type { Figures, Row, Sample } from "./measure.ts";

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? Number.NaN, sorted[Math.floor(middle)] ?? Number.NaN];
  return (low + high) / 2;
}

/**
 * A table of medians, their spread, and how fast each is compared with each of the others: the median over the rounds, each
 * compared within itself. Over 1 is faster.
 */
export function formatTable({ asRate }: Row, figures: readonly Figures[]): string {
  const show = asRate ? showRate : showTime;
  const cells = figures.map(({ name, samples }) => {
    const times = samples.map(({ time }) => time);
    const bounds = [Math.min(...times), Math.max(...times)].map(show);
    return [name, show(median(times)), bounds.join(" … "), showCpu(samples), ...figures.map(compareTo(samples))];
  });
  const unit = asRate ? "requests/s" : "ms";
  const head = [
    "",
    unit,
    "fastest … slowest",
    asRate ? "CPU µs" : "CPU ms",
    ...figures.map(({ name }) => `of ${name}`),
  ];
  return alignColumns([head, ...cells]);

  function showCpu(samples: readonly Sample[]): string {
    const times = samples.flatMap(({ cpu }) => cpu ?? []);
    if (times.length === 0) return "";
    return (median(times) * (asRate ? 1_000 : 1)).toFixed(1);
  }
}

function compareTo(samples: readonly Sample[]): (other: Figures) => string {
  return (other) => {
    const ratios = samples.map(({ time }, round) => (other.samples[round]?.time ?? Number.NaN) / time);
    return other.samples === samples ? "" : `${median(ratios).toFixed(2)} ×`;
  };
}

function showRate(time: number): string {
  return Math.round(1_000 / time).toLocaleString("en");
}

function showTime(time: number): string {
  return time.toFixed(1);
}

function alignColumns(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, at) => pad(cell, widths[at] ?? 0, at))
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
