/** What is said of one row: milliseconds. */
export interface Figures {
  readonly name: string;
  readonly times: readonly number[];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? Number.NaN, sorted[Math.floor(middle)] ?? Number.NaN];
  return (low + high) / 2;
}

/** A table of medians, the spread, and how often each row's median fits into that of `reference`. */
export function formatTable(rows: readonly Figures[], reference: Figures): string {
  const base = median(reference.times);
  const cells = rows.map(({ name, times }) => [
    name,
    `${median(times).toFixed(1)} ms`,
    `${Math.min(...times).toFixed(1)} – ${Math.max(...times).toFixed(1)} ms`,
    `${(median(times) / base).toFixed(2)} ×`,
  ]);
  const table = [["", "median", "fastest – slowest", `of ${reference.name}`], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
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
