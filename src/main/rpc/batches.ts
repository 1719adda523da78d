import { type BatchDetail, type BatchView, finalStatuses } from "#contract";
import { type BatchRecord, dialects, groupProblems, ServiceError, toWireBatch } from "#service";
import type { BatchApi } from "../connections/index.ts";
import { os } from "./base.ts";
import { watchChanges } from "./watch-changes.ts";

function find(id: string, { batches }: BatchApi): BatchRecord {
  const batch = batches.get(id);
  if (batch === undefined) throw new ServiceError("not_found", "This batch is no longer there.");
  return batch;
}

export const batches = os.batches.router({
  list: os.batches.list.handler(({ context: { api }, input: { limit, after, trials } }) => {
    const page = api.batches.list({ limit, trials, ...(after === undefined ? {} : { after }) });
    return { batches: page.batches.map((batch) => toBatchView(batch, api)), hasMore: page.hasMore };
  }),
  get: os.batches.get.handler(({ context: { api }, input }) => toBatchDetail(find(input.id, api), api)),
  cancel: os.batches.cancel.handler(async ({ context: { api }, input }) =>
    toBatchView(await api.batches.cancel(input.id), api),
  ),
  watch: os.batches.watch.handler(({ context: { api }, signal }) =>
    watchChanges(
      { subscribe: api.batches.subscribe, idOf: ({ id }) => id, toView: (batch) => toBatchView(batch, api) },
      signal,
    ),
  ),
});

/** A batch as the app shows it. */
function toBatchView(batch: BatchRecord, { batches, files }: BatchApi): BatchView {
  const { rate, timeLeft } = batches.progress(batch.id);
  return {
    id: batch.id,
    name: batch.metadata.name ?? files.get(batch.inputFileId)?.filename ?? batch.id,
    status: batch.status,
    models: [...batch.models],
    counts: { ...batch.counts, neverRan: countNeverRan(batch) },
    link: batch.link,
    inputFileId: batch.inputFileId,
    outputFileId: batch.outputFileId,
    errorFileId: batch.errorFileId,
    times: { ...batch.times },
    rate,
    timeLeft,
    problemCount: batch.problems.length,
  };
}

/** Once a batch has ended, each of its lines was answered, has failed, or was given up unasked. */
function countNeverRan({ status, counts }: BatchRecord): number {
  return finalStatuses.has(status) ? counts.total - counts.completed - counts.failed : 0;
}

function toBatchDetail(batch: BatchRecord, api: BatchApi): BatchDetail {
  return {
    ...toBatchView(batch, api),
    throughput: [...api.batches.progress(batch.id).throughput],
    problems: groupProblems(batch.problems),
    wire: toWireBatch(batch, dialects.service),
  };
}
