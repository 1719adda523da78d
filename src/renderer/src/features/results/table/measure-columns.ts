import type { ResultRow } from "#contract";

/** What is to be known of a column to measure it. */
export interface MeasuredColumn {
  readonly id: string;
  readonly header: string;
  readonly isMeasured?: true;
  readonly text: (row: ResultRow) => string;
}

/** How much room the values of a column take, and how they are aligned. */
export interface ColumnMeasure {
  /** That its values and its name need, in CSS pixels; at most `mostWidth`. */
  readonly width: number;
  /** Whether some value is wider than that: such columns share the room that the others leave. */
  readonly isText: boolean;
}

/** Wider columns are text, in CSS pixels. */
const mostWidth = 250;
const leastWidth = 64;
/** Between the edges of a cell and its text, and what a header has beside its name: the arrow of its order. */
const [cellPadding, headExtra] = [22, 16];

/** Measures the columns of the table and the fields of the answers by the given rows. `widthOf` is in CSS pixels. */
export function measureColumns(
  columns: readonly MeasuredColumn[],
  rows: readonly ResultRow[],
  widthOf: (text: string) => number,
): ReadonlyMap<string, ColumnMeasure> {
  return new Map(
    columns
      .filter(({ isMeasured }) => isMeasured)
      .map(({ id, header, text }) => {
        const widest = Math.max(0, ...rows.map((row) => widthOf(text(row))));
        const wanted = Math.ceil(Math.max(widest, widthOf(header) + headExtra) + cellPadding);
        return [id, { width: Math.min(mostWidth, Math.max(leastWidth, wanted)), isText: wanted > mostWidth }];
      }),
  );
}

/** The parts of a number as it is written: its sign, and what stands before and after its point; null for any other text. */
export function splitNumber(
  written: string,
): { readonly sign: string; readonly digits: string; readonly part: string } | null {
  const [, sign = "", digits = "", part = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(written) ?? [];
  return digits === "" ? null : { sign, digits, part };
}

/** The most digits after a point that numbers are aligned by: longer ones would push the others to the left. */
const mostDecimals = 6;

/** How many characters stand after the last digit before the point, in the longest of these numbers: `.40` has three. */
export function longestPart(written: readonly string[]): number {
  const lengths = written.map((one) => splitNumber(one)?.part.length ?? 0);
  return Math.max(0, ...lengths.filter((length) => length <= mostDecimals + 1));
}

let context: OffscreenCanvasRenderingContext2D | null = null;

/** The width of a text in a cell, in CSS pixels. */
export function widthInCell(text: string): number {
  if (context === null) {
    context = new OffscreenCanvas(1, 1).getContext("2d");
    if (context !== null) context.font = `14px ${getComputedStyle(document.body).fontFamily}`;
  }
  // What is longer is text in any case.
  return context?.measureText(text.slice(0, 80)).width ?? text.length * 7.5;
}
