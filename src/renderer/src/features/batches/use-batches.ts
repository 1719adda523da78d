import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { BatchView } from "#contract";
import { useApi, useBridge } from "../../bridge/index.ts";
import { batchDetailOptions, batchListOptions } from "./batch-queries.ts";
import { watchVerifications } from "./verification/watch-verifications.ts";
import { watchBatches } from "./watch-batches.ts";

const none: readonly BatchView[] = [];

/** Keeps all that is shown of batches and their verifications up to date. Called once, by the frame. */
export function useBatchesWatch(): void {
  const bridge = useBridge();
  const queryClient = useQueryClient();
  useEffect(() => {
    const end = new AbortController();
    void watchBatches(bridge, queryClient, end.signal);
    void watchVerifications(bridge, queryClient, end.signal);
    return () => end.abort();
  }, [bridge, queryClient]);
}

/** All batches, newest first, page after page until they are all there. */
export function useBatches() {
  const query = useInfiniteQuery(batchListOptions(useApi()));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const batches = useMemo(() => data?.pages.flatMap((page) => page.batches) ?? none, [data]);
  return { batches, isPending: query.isPending, error: query.error, refetch: query.refetch };
}

/** One batch in full. */
export function useBatch(id: string) {
  return useQuery(batchDetailOptions(useApi(), id));
}
