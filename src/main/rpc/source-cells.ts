import { type ResultRow, sourcePrefix } from "#contract";
import type { Build } from "#main/build";

/** Most characters of a cell in a row of the table. */
const longestCell = 300;

/** Rows with the cells of some columns of the table that their batch was built from; long ones are cut. */
export async function addSourceCells<Row extends Pick<ResultRow, "line" | "values">>(
  { batchSources }: Pick<Build, "batchSources">,
  batchId: string,
  columns: readonly string[] = [],
  rows: readonly Row[],
): Promise<Row[]> {
  if (columns.length === 0) return [...rows];
  const lines = rows.map(({ line }) => line);
  const cells = await batchSources.cells(batchId, columns, lines);
  return rows.map((row, at) => {
    const found = columns.map((column, place) => {
      const cell = cells[at]?.[place]?.slice(0, longestCell).toWellFormed() ?? "";
      return [`${sourcePrefix}${column}`, cell] as const;
    });
    return { ...row, values: { ...row.values, ...Object.fromEntries(found) } };
  });
}
