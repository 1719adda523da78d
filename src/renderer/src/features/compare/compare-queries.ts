import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ComparisonFilter } from "#contract";
import { useApi } from "../../bridge/index.ts";
import { type RowRange, useRowPages } from "../../components/index.ts";

/** How often batches that still run are compared again, in milliseconds. */
const livePeriod = 5_000;

/** The batches that are compared, and what of their answers; undefined for what they are graded by. */
interface Compared {
  readonly ids: readonly string[];
  readonly by: string | undefined;
}

/** Compares again when a batch reaches another status: the comparison before its end lacks its last answers. */
export function useFreshComparison(statuses: string) {
  const api = useApi();
  const client = useQueryClient();
  const seen = useRef(statuses);
  useEffect(() => {
    if (seen.current === statuses) return;
    seen.current = statuses;
    void client.invalidateQueries({ queryKey: api.compare.key() });
  }, [api, client, statuses]);
}

/** What of the batches compares how. */
export function useComparison({ ids, by }: Compared, baseline: number, isLive: boolean, enabled: boolean) {
  const api = useApi();
  return useQuery(
    api.compare.summary.queryOptions({
      input: { ids: [...ids], by, baseline },
      enabled,
      placeholderData: keepPreviousData,
      refetchInterval: isLive ? livePeriod : false,
      staleTime: livePeriod,
    }),
  );
}

/** The rows in view, of those that the filter leaves. */
export function useComparisonRows(
  { ids, by, sourceColumns }: Compared & { readonly sourceColumns: readonly string[] },
  filter: ComparisonFilter,
  range: RowRange,
  isLive: boolean,
  enabled: boolean,
) {
  const api = useApi();
  const rows = useRowPages(range, (page) =>
    api.compare.page.queryOptions({
      input: { ids: [...ids], by, filter, sourceColumns: [...sourceColumns], ...page },
      enabled,
      refetchInterval: isLive ? livePeriod : false,
      staleTime: livePeriod,
    }),
  );
  /** Asks for the row of a line, from 0; null where it is not shown. */
  const queryRow = (line: number) =>
    api.compare.rowOf.queryOptions({ input: { ids: [...ids], by, filter, line }, staleTime: livePeriod });
  return { ...rows, queryRow };
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
