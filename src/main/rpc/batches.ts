import { type BatchRecord, ServiceError } from "#service";
import type { BatchApi } from "../connections/index.ts";
import { os } from "./base.ts";
import { toBatchDetail, toBatchView } from "./batch-view.ts";
import { watchChanges } from "./watch-changes.ts";

function find(id: string, { batches }: BatchApi): BatchRecord {
  const batch = batches.get(id);
  if (batch === undefined) throw new ServiceError("not_found", "This batch is no longer there.");
  return batch;
}

const never = new AbortController().signal;

export const batches = os.batches.router({
  list: os.batches.list.handler(({ context: { api }, input: { limit, after } }) => {
    const page = api.batches.list({ limit, ...(after === undefined ? {} : { after }) });
    return { batches: page.batches.map((batch) => toBatchView(batch, api)), hasMore: page.hasMore };
  }),
  get: os.batches.get.handler(({ context: { api }, input }) => toBatchDetail(find(input.id, api), api)),
  cancel: os.batches.cancel.handler(async ({ context: { api }, input }) =>
    toBatchView(await api.batches.cancel(input.id), api),
  ),
  watch: os.batches.watch.handler(({ context: { api }, signal = never }) =>
    watchChanges(
      { subscribe: api.batches.subscribe, idOf: ({ id }) => id, toView: (batch) => toBatchView(batch, api) },
      signal,
    ),
  ),
});
