import { type ResultRow, sourcePrefix } from "#contract";
import type { Build } from "#main/build";
import { cutText } from "#main/results";

/** Rows with the cells of some columns of the table that their batch was built from; long ones are cut, unless all are wanted whole. */
export async function addSourceCells<Row extends Pick<ResultRow, "line" | "values">>(
  { batchSources }: Pick<Build, "batchSources">,
  batchId: string,
  columns: readonly string[] = [],
  rows: readonly Row[],
  cut = cutText,
): Promise<Row[]> {
  if (columns.length === 0) return [...rows];
  const lines = rows.map(({ line }) => line);
  const cells = await batchSources.cells(batchId, columns, lines);
  return rows.map((row, at) => {
    const found = columns.map((column, place) => {
      return [`${sourcePrefix}${column}`, cut(cells[at]?.[place] ?? "")] as const;
    });
    return { ...row, values: { ...row.values, ...Object.fromEntries(found) } };
  });
}
