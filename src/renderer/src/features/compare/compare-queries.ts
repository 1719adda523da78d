import { useThrottledValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { ComparisonFilter } from "#contract";
import { useApi } from "../../bridge/index.ts";

/** Rows that are fetched at a time. */
const rowsPerPage = 100;
/** While the view moves fast, pages are asked for at most this often, in milliseconds. */
const pace = 120;
/** How often batches that still run are compared anew, in milliseconds. */
const livePeriod = 5_000;

/** What of the batches compares how. */
export function useComparison(ids: readonly string[], isLive: boolean) {
  const api = useApi();
  return useQuery(
    api.compare.summary.queryOptions({
      input: { ids: [...ids] },
      refetchInterval: isLive ? livePeriod : false,
      staleTime: livePeriod,
    }),
  );
}

/** The rows in view, of those that the filter leaves, fetched by the page. */
export function useComparisonRows(
  ids: readonly string[],
  filter: ComparisonFilter,
  range: { readonly first: number; readonly last: number },
  isLive: boolean,
) {
  const api = useApi();
  const { first, last } = useThrottledValue(range, pace);
  const pages = useMemo(() => {
    const from = Math.floor(Math.max(0, first) / rowsPerPage);
    return Array.from({ length: Math.floor(Math.max(0, last) / rowsPerPage) - from + 1 }, (_, at) => from + at);
  }, [first, last]);
  const { byPage, total, error, retry } = useQueries({
    queries: pages.map((page) =>
      api.compare.page.queryOptions({
        input: { ids: [...ids], filter, offset: page * rowsPerPage, limit: rowsPerPage },
        refetchInterval: isLive ? livePeriod : false,
        staleTime: livePeriod,
        gcTime: 60_000,
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
  const indexOf = useCallback(
    (line: number) => {
      for (const [page, rows] of byPage) {
        const at = rows?.findIndex((row) => row.line === line) ?? -1;
        if (at >= 0) return page * rowsPerPage + at;
      }
      return null;
    },
    [byPage],
  );
  return { rowAt, indexOf, total, error, retry };
}

/** A line in full, of each batch. */
export function useComparedLine(ids: readonly string[], line: number) {
  const api = useApi();
  return useQuery(
    api.compare.line.queryOptions({
      input: { ids: [...ids], line },
      staleTime: livePeriod,
      placeholderData: keepPreviousData,
    }),
  );
}
