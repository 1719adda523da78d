import type { SourceRow } from "#contract";

/** How a column shares the table's width: never narrower than `least` CSS pixels, growing by `weight`. */
export interface ColumnWidth {
  readonly least: number;
  readonly weight: number;
}

/** Of one character and of a cell's padding, in CSS pixels. */
const characterWidth = 8.8;
const cellPadding = 20;

const fewest = 3;
const most = 48;
/** A column of long text may be cut off to this many characters. */
const cutOff = 10;

/** Widths for columns from their names and the rows at hand: most cells fit, long text is cut off. */
export function measureColumns(columns: readonly string[], rows: readonly SourceRow[]): ColumnWidth[] {
  return columns.map((column) => {
    const lengths = rows.map(({ cells }) => cells[column]?.length ?? 0).toSorted((a, b) => a - b);
    const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
    const characters = Math.min(Math.max(usual, column.length, fewest), most);
    return { least: Math.round(Math.min(characters, cutOff) * characterWidth + cellPadding), weight: characters };
  });
}
