import { useThrottledValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { LineVerdict, ResultRow } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { findHit } from "./find-hit.ts";
import { pagesOf, rowsPerPage } from "./result-pages.ts";

/** While the view moves fast, pages are asked for at most this often, in milliseconds. */
const pace = 120;
/** How long a page that is out of view is kept, in milliseconds. */
const keep = 60_000;

export interface ResultRows {
  readonly rowAt: (index: number) => ResultRow | undefined;
  /** The place of a line among the rows; null while it is not among those that have been fetched. */
  readonly indexOf: (line: number) => number | null;
  /** The first failure among the pages in view. */
  readonly error: Error | null;
  readonly retry: () => void;
}

export interface ResultRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The rows around those in view, of all lines or of those with a verdict, fetched by the page. A page stays what it is
 * until `useLiveResults` says otherwise.
 */
export function useResultRows(batchId: string, range: ResultRange, verdict: LineVerdict | null): ResultRows {
  const api = useApi();
  const { first, last } = useThrottledValue(range, pace);
  const pages = useMemo(() => pagesOf(first, last), [first, last]);
  const { byPage, error, retry } = useQueries({
    queries: pages.map((page) =>
      api.results.page.queryOptions({
        input: { batchId, offset: page * rowsPerPage, limit: rowsPerPage, ...(verdict && { verdict }) },
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: keep,
      }),
    ),
    combine: (results) => ({
      byPage: new Map(results.map(({ data }, at) => [pages[at] ?? 0, data?.rows])),
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
  const indexOf = useCallback(
    (line: number) => (verdict === null ? line - 1 : findHit(byPage, line)),
    [byPage, verdict],
  );
  return { rowAt, indexOf, error, retry };
}
