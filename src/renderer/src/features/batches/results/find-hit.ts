import type { ResultRow } from "#contract";
import { rowsPerPage } from "./result-pages.ts";

/** Where a line stands among those that are shown, as far as they have been fetched; null when it is not among them. */
export function findHit(
  pages: ReadonlyMap<number, readonly Pick<ResultRow, "line">[] | undefined>,
  line: number,
): number | null {
  for (const [page, rows] of pages) {
    const at = rows?.findIndex((row) => row.line === line) ?? -1;
    if (at >= 0) return page * rowsPerPage + at;
  }
  return null;
}
