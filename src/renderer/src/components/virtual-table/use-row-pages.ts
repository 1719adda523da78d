import { useThrottledValue } from "@mantine/hooks";
import { hashKey, type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";

/** Rows that are fetched at a time. */
const rowsPerPage = 100;
/** While the view moves fast, pages are asked for at most this often, in milliseconds. */
const pace = 120;
/** How long a page that is out of view stays in memory, in milliseconds. */
const pageLifetime = 60_000;

/** Of rows, from 0, both ends included. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** The pages that the rows in view are on, as a range of rows: scrolling within them renders nothing of the table's owner. */
export function useRowRange(initial: RowRange): readonly [RowRange, (first: number, last: number) => void] {
  const [range, setRange] = useState(initial);
  const note = useCallback((first: number, last: number) => {
    const pages = pagesOf(first, last);
    const from = (pages[0] ?? 0) * rowsPerPage;
    const to = from + pages.length * rowsPerPage - 1;
    setRange((now) => (now.first === from && now.last === to ? now : { first: from, last: to }));
  }, []);
  return [range, note];
}

interface Line {
  readonly line: number;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number | null;
}

export interface RowPages<Row, Fetched = Page<Row>> {
  readonly rowAt: (index: number) => Row | undefined;
  /** The index of a line among the rows; null while it is not among those that have been fetched. */
  readonly indexOf: (line: number) => number | null;
  /** How many rows there are, or have been found so far; null while that is not known. */
  readonly total: number | null;
  /** The first page in view that has been fetched. */
  readonly page: Fetched | null;
  /** The first failure among the pages in view. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The rows around those in view, fetched by the page, for a table that is longer than what is worth holding. */
export function useRowPages<Row extends Line, Fetched extends Page<Row>>(
  range: RowRange,
  queryPage: (page: { readonly offset: number; readonly limit: number }) => UseQueryOptions<Fetched>,
): RowPages<Fetched["rows"][number], Fetched> {
  const { first, last } = useThrottledValue(range, pace);
  const pages = useMemo(() => pagesOf(first, last), [first, last]);
  const { byPage, page, error, retry } = useQueries({
    queries: pages.map((page) => ({
      gcTime: pageLifetime,
      ...queryPage({ offset: page * rowsPerPage, limit: rowsPerPage }),
    })),
    combine: (results) => ({
      byPage: new Map(results.map(({ data }, at) => [pages[at] ?? 0, data?.rows])),
      page: results.find(({ data }) => data !== undefined)?.data ?? null,
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
  const indexOf = useCallback((line: number) => findLine(byPage, line), [byPage]);
  // A jump to pages that are not there yet must not make the table shorter: what was counted holds for the same rows.
  const of = hashKey(queryPage({ offset: 0, limit: rowsPerPage }).queryKey);
  const [counted, setCounted] = useState<{ readonly of: string; readonly total: number } | null>(null);
  const total = page?.total ?? (counted?.of === of ? counted.total : null);
  if (total !== null && (counted?.of !== of || counted.total !== total)) setCounted({ of, total });
  return { rowAt, indexOf, total, page, error, retry };
}

/** The pages that hold the rows from `first` to `last`, by number from 0. */
export function pagesOf(first: number, last: number): readonly number[] {
  if (last < first) return [];
  const from = Math.floor(first / rowsPerPage);
  const to = Math.floor(last / rowsPerPage);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** The index of a line among those that are shown, as far as they have been fetched; null when it is not among them. */
export function findLine(pages: ReadonlyMap<number, readonly Line[] | undefined>, line: number): number | null {
  for (const [page, rows] of pages) {
    const at = rows?.findIndex((row) => row.line === line) ?? -1;
    if (at >= 0) return page * rowsPerPage + at;
  }
  return null;
}
