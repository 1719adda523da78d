import { type ResultDetail, type ResultRow, sourcePrefix } from "#contract";
import type { Build } from "#main/build";
import { cutText } from "#main/results";

/** Adds cells of the table that the batch was built from. Long cells are cut; `wholeText` as `cut` keeps them whole. */
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

/** A line whose pictures have the names that the table has for them: their paths, or their addresses. */
export async function namePictures(
  { batchSources }: Pick<Build, "batchSources">,
  batchId: string,
  detail: ResultDetail,
): Promise<ResultDetail> {
  if (detail.picture === undefined) return detail;
  const { pictures = [] } = (await batchSources.describe(batchId)) ?? {};
  if (pictures.length === 0) return detail;
  const columns = pictures.map((path) => path.slice(sourcePrefix.length));
  const [cells = []] = await batchSources.cells(batchId, columns, [detail.line]);
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  // A table that was changed since names others.
  return names.length === detail.picture.split("\n").length ? { ...detail, picture: names.join("\n") } : detail;
}
