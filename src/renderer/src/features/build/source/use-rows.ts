import { useQueries } from "@tanstack/react-query";
import type { SourceRow } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { createBuildQueries, rowsPerPage } from "../queries.ts";

interface RowRange {
  readonly startIndex: number;
  readonly endIndex: number;
}

/**
 * The rows of a source that are on screen, and the selected one, wherever it is: fetched page by page as they
 * come into view. Indexes count from 0.
 */
export function useRows(sourceId: string, visible: RowRange | null, selected: number) {
  const queries = createBuildQueries(useApi());
  const { startIndex = 0, endIndex = 0 } = visible ?? {};
  const first = pageOf(startIndex);
  const inView = Array.from({ length: pageOf(endIndex) - first + 1 }, (_, at) => first + at);
  const pages = [...new Set([...inView, pageOf(selected)])];
  return useQueries({
    queries: pages.map((page) => queries.rows(sourceId, page)),
    combine: (results) => ({
      error: results.find(({ isError }) => isError)?.error ?? null,
      refetch: () => {
        for (const result of results) void result.refetch();
      },
      find: (index: number): SourceRow | undefined =>
        results[pages.indexOf(pageOf(index))]?.data?.rows[index % rowsPerPage],
      loaded: results.flatMap(({ data }) => data?.rows ?? []),
    }),
  });
}

function pageOf(index: number): number {
  return Math.floor(index / rowsPerPage);
}
