import type { SourceRow } from "#contract";

/** How a column shares the table's width: never narrower than `least`, growing by `weight`; both in characters. */
export interface ColumnWidth {
  readonly least: number;
  readonly weight: number;
}

const narrowest = 6;
const widest = 48;
/** A column of long text may be cut off to this many characters. */
const cutOff = 18;

/** Widths for columns from their names and the rows at hand: most cells fit, long text is cut off. */
export function measureColumns(columns: readonly string[], rows: readonly SourceRow[]): ColumnWidth[] {
  return columns.map((column) => {
    const lengths = rows.map(({ cells }) => Math.min(cells[column]?.length ?? 0, widest)).toSorted((a, b) => a - b);
    const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
    const weight = Math.min(Math.max(usual, column.length, narrowest) + 2, widest);
    return { least: Math.min(weight, cutOff), weight };
  });
}
