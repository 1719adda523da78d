import type { QueryClient } from "@tanstack/react-query";
import type { BatchView } from "#contract";
import type { Api, Rpc } from "../../bridge/index.ts";
import { mergeIntoDetail, mergeIntoPages } from "./batch-cache.ts";
import { batchDetailOptions, batchListOptions } from "./batch-queries.ts";
import { follow } from "./follow.ts";

/** Between two samples of a batch's rate, in milliseconds. */
const samplePeriod = 1_000;

/** What this needs of the bridge. */
export interface BatchesBridge {
  readonly rpc: Pick<Rpc, "batches">;
  readonly api: Pick<Api, "batches">;
}

/**
 * Follows every change of every batch and writes it into the cache, until the signal is aborted. One stream serves
 * the whole page. After a break it asks again, and fetches once what may have changed in between.
 */
export async function watchBatches(
  bridge: BatchesBridge,
  queryClient: QueryClient,
  signal: AbortSignal,
): Promise<void> {
  const apply = createBatchWriter(bridge, queryClient);
  await follow(
    {
      open: () => bridge.rpc.batches.watch(undefined, { signal }),
      onOpen: () =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey: bridge.api.batches.list.key() }),
          queryClient.invalidateQueries({ queryKey: bridge.api.batches.get.key() }),
        ]),
      onEvent: apply,
    },
    signal,
  );
}

/** Writes one change into the list and, where it is cached, the batch in full. */
function createBatchWriter({ api }: Pick<BatchesBridge, "api">, queryClient: QueryClient): (batch: BatchView) => void {
  const sampledAt = new Map<string, number>();
  const listKey = batchListOptions(api).queryKey;
  return (batch) => {
    const now = Date.now();
    const sample = batch.status === "in_progress" && now - (sampledAt.get(batch.id) ?? 0) >= samplePeriod;
    if (sample) sampledAt.set(batch.id, now);
    queryClient.setQueryData(listKey, (list) => list && mergeIntoPages(list, batch));

    const detailKey = batchDetailOptions(api, batch.id).queryKey;
    const before = queryClient.getQueryData(detailKey);
    if (before === undefined) return;
    queryClient.setQueryData(detailKey, mergeIntoDetail(before, batch, sample));
    if (before.status !== batch.status) void queryClient.invalidateQueries({ queryKey: detailKey });
  };
}
