/** What is said of one row: milliseconds. */
export interface Figures {
  readonly name: string;
  readonly times: number[];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? Number.NaN, sorted[Math.floor(middle)] ?? Number.NaN];
  return (low + high) / 2;
}

/** A table of medians, the spread, and each row's median as a multiple of that of the peer. */
export function formatTable(rows: readonly Figures[], peer: Figures): string {
  const base = median(peer.times);
  const cells = rows.map(({ name, times }) => [
    name,
    `${median(times).toFixed(1)} ms`,
    `${Math.min(...times).toFixed(1)} – ${Math.max(...times).toFixed(1)} ms`,
    `${(median(times) / base).toFixed(2)} ×`,
  ]);
  const table = [["", "median", "fastest – slowest", "of the peer"], ...cells];
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
