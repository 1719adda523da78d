import { useQueries } from "@tanstack/react-query";
import type { SourceRow } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { createBuildQueries, rowsPerPage } from "../queries.ts";

/** The rows of a source that are on screen, fetched page by page as they come into view. Indexes count from 0. */
export function useRows(sourceId: string, visible: { readonly first: number; readonly last: number }) {
  const queries = createBuildQueries(useApi());
  const firstPage = pageOf(visible.first);
  const pages = Array.from({ length: pageOf(visible.last) - firstPage + 1 }, (_, at) => firstPage + at);
  return useQueries({
    queries: pages.map((page) => queries.rows(sourceId, page)),
    combine: (results) => ({
      error: results.find(({ isError }) => isError)?.error ?? null,
      refetch: () => {
        for (const result of results) void result.refetch();
      },
      find: (index: number): SourceRow | undefined =>
        results[pageOf(index) - firstPage]?.data?.rows[index % rowsPerPage],
      loaded: results.flatMap(({ data }) => data?.rows ?? []),
    }),
  });
}

function pageOf(index: number): number {
  return Math.floor(index / rowsPerPage);
}
