import { type BatchOutcome, countNeverRan, finalStatuses, formatCount, formatNumber, outcomeOf } from "#contract";
import type { BatchRecord } from "#service";
import type { BatchApi } from "../connections/index.ts";
import type { AppHost } from "./host.ts";

const words: Partial<Record<BatchOutcome, string>> = {
  completed: "is done",
  failed: "did not run",
  expired: "has expired",
  cancelled: "is cancelled",
  never_ran: "never ran",
};

/** Notifies the user of each batch that ends from now on, but not of trials. Returns a function that unsubscribes. */
export function announceEnds(
  { batches, files }: Pick<BatchApi, "batches" | "files">,
  notify: NonNullable<AppHost["notify"]>,
): () => void {
  const everything = batches.list({ limit: Number.POSITIVE_INFINITY }).batches;
  const underWay = new Set(everything.filter(({ status }) => !finalStatuses.has(status)).map(({ id }) => id));
  return batches.subscribe((batch) => {
    const { id, status, link, metadata, inputFileId } = batch;
    if (link?.kind === "trial") return;
    if (!finalStatuses.has(status)) {
      underWay.add(id);
    } else if (underWay.delete(id)) {
      const name = metadata.name ?? files.get(inputFileId)?.filename ?? id;
      notify({ title: `“${name}” ${words[outcomeOf(batch)] ?? "has ended"}`, body: describeLines(batch) });
    }
  });
}

function describeLines(batch: BatchRecord): string {
  const { total, completed, failed } = batch.counts;
  if (total === 0) return "Its file has problems.";
  const neverRan = countNeverRan(batch);
  const parts = [
    `${formatNumber(completed)} of ${formatCount(total, "line")} answered`,
    failed === 0 ? null : `${formatNumber(failed)} failed`,
    neverRan === 0 ? null : `${formatNumber(neverRan)} never ran`,
  ];
  return `${parts.filter((part) => part !== null).join(", ")}.`;
}
