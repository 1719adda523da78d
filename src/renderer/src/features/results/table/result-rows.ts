import { type UseQueryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Preparation, ResultRow, ResultSort } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { type RowPages, type RowRange, useRowPages } from "../../../components/index.ts";
import { invalidateLeft } from "../../../queries/batch-queries.ts";
import { useResults } from "../results-context.tsx";
import { hasFilter } from "../search-params.ts";

export interface ResultRows extends RowPages<ResultRow> {
  /** How far columns are that the rows depend on; null while none is being read. */
  readonly progress: Preparation | null;
  /** Gives up what is being read: the rows found so far stay. */
  readonly stop: () => Promise<void>;
  /** Asks for the row of a line, from 0; null where it is not shown. */
  readonly queryRow: (line: number) => UseQueryOptions<number | null>;
}

interface WantedRows {
  readonly sort?: ResultSort | null;
  /** Columns of the table that the batch was built from. */
  readonly sourceColumns?: readonly string[];
  /** Other columns that are to be read, of a chart. */
  readonly columns?: readonly string[];
}

/**
 * The rows around those in view, of all lines or of those that the filter leaves, as they are found. A page stays what it
 * is until the streams of changes invalidate it (watch.ts).
 */
export function useResultRows(range: RowRange, { sort, sourceColumns = [], columns = [] }: WantedRows): ResultRows {
  const { batchId, filter, merged } = useResults();
  const api = useApi();
  const queryClient = useQueryClient();
  const choice = { filter, ...(sort && { sort }), ...(merged && { merged }) };
  const rows = useRowPages(range, (page) =>
    api.results.rows.experimental_liveOptions({
      input: {
        batchId,
        ...page,
        ...choice,
        ...(sourceColumns.length > 0 && { sourceColumns: [...sourceColumns] }),
        ...(columns.length > 0 && { columns: [...columns] }),
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const progress = rows.page?.progress ?? null;
  const isIndexing = progress?.step === "indexing";
  // What is left to be asked again is known by the index.
  useEffect(() => (isIndexing ? () => invalidateLeft(queryClient, api) : undefined), [isIndexing, queryClient, api]);
  const stop = async () => {
    const queryKey = api.results.rows.key({ input: { batchId } });
    const found = queryClient.getQueriesData<object>({ queryKey });
    await queryClient.cancelQueries({ queryKey });
    for (const [key, page] of found) queryClient.setQueryData(key, page && { ...page, progress: null });
  };
  const isWhole = !hasFilter(filter) && !sort;
  const queryRow = (line: number) =>
    api.results.rowOf.queryOptions({ input: { batchId, line, ...choice }, staleTime: Number.POSITIVE_INFINITY });
  return { ...rows, progress, stop, queryRow, ...(isWhole && { indexOf: indexOfWhole }) };
}

/** Without a filter, lines are in the order of their numbers. */
function indexOfWhole(line: number): number {
  return line - 1;
}
