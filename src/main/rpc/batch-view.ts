import type { BatchDetail, BatchView } from "#contract";
import { type BatchRecord, dialects, groupProblems, toWireBatch } from "#service";
import type { BatchApi } from "../connections/index.ts";

/** A batch as the app shows it. */
export function toBatchView(batch: BatchRecord, { batches, files }: BatchApi): BatchView {
  const { rate, timeLeft } = batches.progress(batch.id);
  return {
    id: batch.id,
    name: batch.metadata.name ?? files.get(batch.inputFileId)?.filename ?? batch.id,
    status: batch.status,
    models: [...batch.models],
    counts: { ...batch.counts },
    inputFileId: batch.inputFileId,
    outputFileId: batch.outputFileId,
    errorFileId: batch.errorFileId,
    times: { ...batch.times },
    rate,
    timeLeft,
    problemCount: batch.problems.length,
  };
}

export function toBatchDetail(batch: BatchRecord, api: BatchApi): BatchDetail {
  return {
    ...toBatchView(batch, api),
    throughput: [...api.batches.progress(batch.id).throughput],
    problems: groupProblems(batch.problems),
    wire: toWireBatch(batch, dialects.service),
  };
}
