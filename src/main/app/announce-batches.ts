import { type BatchOutcome, countNeverRan, finalStatuses, formatCount, formatNumber, outcomeOf } from "#contract";
import { nameOf } from "#main/batches";
import { asksForKey } from "#main/connections";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import type { AppHost } from "./host.ts";

const words: Partial<Record<BatchOutcome, string>> = {
  completed: "is done",
  failed: "did not run",
  expired: "has expired",
  cancelled: "is cancelled",
  never_ran: "never ran",
};

/** Notifies the user of each batch that ends, or begins to wait for a key, but not of trials. Returns a function that unsubscribes. */
export function announceBatches(
  service: Pick<Service, "batches" | "files">,
  notify: NonNullable<AppHost["notify"]>,
): () => void {
  const { batches } = service;
  const everything = batches.list({ limit: Number.POSITIVE_INFINITY }).batches;
  const underWay = new Set(everything.filter(({ status }) => !finalStatuses.has(status)).map(({ id }) => id));
  const waiting = new Set<string>();
  return batches.subscribe((batch) => {
    const { id, status, link } = batch;
    if (link?.kind === "trial") return;
    const announce = (what: string, body: string) =>
      notify({ batchId: id, title: `“${nameOf(batch, service)}” ${what}`, body });
    if (!finalStatuses.has(status)) {
      underWay.add(id);
      if (batch.waiting === null) waiting.delete(id);
      else if (asksForKey(batch.waiting) && !waiting.has(id)) {
        waiting.add(id);
        announce("waits for a key", batch.waiting);
      }
    } else if (underWay.delete(id)) {
      waiting.delete(id);
      announce(words[outcomeOf(batch)] ?? "has ended", describeLines(batch));
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
