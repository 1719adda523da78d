import type { ResultFilter, ResultRow, ResultSort } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { type RowPages, type RowRange, useRowPages } from "../../../components/index.ts";

export type ResultRows = RowPages<ResultRow>;

/**
 * The rows around those in view, of all lines or of those that the filter leaves. A page stays what it is until the streams
 * of changes make it old (watch.ts).
 */
export function useResultRows(
  batchId: string,
  range: RowRange,
  filter: ResultFilter,
  sort: ResultSort | null,
  merged: boolean,
  sourceColumns: readonly string[],
): ResultRows {
  const api = useApi();
  const rows = useRowPages(range, (page) =>
    api.results.page.queryOptions({
      input: {
        batchId,
        ...page,
        filter,
        ...(sort && { sort }),
        ...(merged && { merged }),
        ...(sourceColumns.length > 0 && { sourceColumns: [...sourceColumns] }),
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const isWhole = !hasFilter(filter) && sort === null;
  return isWhole ? { ...rows, indexOf: indexOfWhole } : rows;
}

/** All lines stand in the order of their numbers. */
function indexOfWhole(line: number): number {
  return line - 1;
}

/** Whether not all lines are shown. */
export function hasFilter(filter: ResultFilter): boolean {
  return Object.values(filter).some((member) => member !== undefined);
}
