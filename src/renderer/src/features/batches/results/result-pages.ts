import type { ResultRow } from "#contract";

/** Rows that are fetched at a time. */
export const rowsPerPage = 100;

/** The pages that hold the rows from `first` to `last`, by number from 0. */
export function pagesOf(first: number, last: number): readonly number[] {
  if (last < first) return [];
  const from = Math.floor(first / rowsPerPage);
  const to = Math.floor(last / rowsPerPage);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** Whether something may still come of a line of these. */
export function hasWaiting(rows: readonly Pick<ResultRow, "state">[]): boolean {
  return rows.some(({ state }) => state === "waiting");
}
