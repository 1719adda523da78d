import { useThrottledValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { ResultFilter, ResultRow, ResultSort } from "#contract";
import { useApi } from "../../../bridge/index.ts";

/** Rows that are fetched at a time. */
const rowsPerPage = 100;
/** While the view moves fast, pages are asked for at most this often, in milliseconds. */
const pace = 120;
/** How long a page that is out of view stays in memory, in milliseconds. */
const pageLifetime = 60_000;

export interface ResultRows {
  readonly rowAt: (index: number) => ResultRow | undefined;
  /** The index of a line among the rows; null while it is not among those that have been fetched. */
  readonly indexOf: (line: number) => number | null;
  /** How many rows there are, or have been found so far; null while that is not known. */
  readonly total: number | null;
  /** The first failure among the pages in view. */
  readonly error: Error | null;
  readonly retry: () => void;
}

export interface ResultRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The rows around those in view, of all lines or of those that the filter leaves, fetched by the page. A page stays what it is
 * until the streams of changes make it old (watch.ts).
 */
export function useResultRows(
  batchId: string,
  range: ResultRange,
  filter: ResultFilter,
  sort: ResultSort | null,
  merged: boolean,
  sourceColumns: readonly string[],
): ResultRows {
  const api = useApi();
  const { first, last } = useThrottledValue(range, pace);
  const pages = useMemo(() => pagesOf(first, last), [first, last]);
  const isWhole = !hasFilter(filter) && sort === null;
  const { byPage, total, error, retry } = useQueries({
    queries: pages.map((page) =>
      api.results.page.queryOptions({
        input: {
          batchId,
          offset: page * rowsPerPage,
          limit: rowsPerPage,
          filter,
          ...(sort && { sort }),
          ...(merged && { merged }),
          ...(sourceColumns.length > 0 && { sourceColumns: [...sourceColumns] }),
        },
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: pageLifetime,
      }),
    ),
    combine: (results) => ({
      byPage: new Map(results.map(({ data }, at) => [pages[at] ?? 0, data?.rows])),
      total: results.find(({ data }) => data !== undefined)?.data?.total ?? null,
      error: results.find(({ isError }) => isError)?.error ?? null,
      retry: () => {
        for (const result of results) if (result.isError) void result.refetch();
      },
    }),
  });
  const rowAt = useCallback(
    (index: number) => byPage.get(Math.floor(index / rowsPerPage))?.[index % rowsPerPage],
    [byPage],
  );
  const indexOf = useCallback((line: number) => (isWhole ? line - 1 : findHit(byPage, line)), [byPage, isWhole]);
  return { rowAt, indexOf, total, error, retry };
}

/** Whether not all lines are shown. */
export function hasFilter(filter: ResultFilter): boolean {
  return Object.values(filter).some((member) => member !== undefined);
}

/** The pages that hold the rows from `first` to `last`, by number from 0. */
export function pagesOf(first: number, last: number): readonly number[] {
  if (last < first) return [];
  const from = Math.floor(first / rowsPerPage);
  const to = Math.floor(last / rowsPerPage);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** The index of a line among those that are shown, as far as they have been fetched; null when it is not among them. */
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
