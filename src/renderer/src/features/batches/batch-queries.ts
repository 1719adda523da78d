import type { Api } from "../../bridge/index.ts";

/** Batches that are fetched at a time; the whole list is, page after page, so that it can be sorted and searched. */
const pageSize = 500;

/** The list of batches, newest first. Kept up to date by `watchBatches`, never fetched again by itself. */
export function batchListOptions(api: Pick<Api, "batches">) {
  return api.batches.list.infiniteOptions({
    input: (after: string | undefined) => ({ limit: pageSize, ...(after === undefined ? {} : { after }) }),
    initialPageParam: undefined,
    getNextPageParam: (last) => (last.hasMore ? last.batches.at(-1)?.id : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** One batch in full. Kept up to date by `watchBatches` while it is on screen. */
export function batchDetailOptions(api: Pick<Api, "batches">, id: string) {
  return api.batches.get.queryOptions({ input: { id }, staleTime: 60_000 });
}
