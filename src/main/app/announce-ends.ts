import { finalStatuses } from "#contract";
import type { BatchRecord } from "#service";
import type { BatchApi } from "../connections/index.ts";
import type { AppHost } from "./host.ts";

const words: Partial<Record<BatchRecord["status"], string>> = {
  completed: "is done",
  failed: "did not run",
  expired: "has expired",
  cancelled: "is cancelled",
};

/** Tells the user's system of each batch that ends from now on; trials are looked at while they run. The answer stops it. */
export function announceEnds(
  { batches, files }: Pick<BatchApi, "batches" | "files">,
  notify: NonNullable<AppHost["notify"]>,
): () => void {
  const everything = batches.list({ limit: Number.POSITIVE_INFINITY }).batches;
  const underWay = new Set(everything.filter(({ status }) => !finalStatuses.has(status)).map(({ id }) => id));
  return batches.subscribe(({ id, status, counts, link, metadata, inputFileId }) => {
    if (link?.kind === "trial") return;
    if (!finalStatuses.has(status)) {
      underWay.add(id);
    } else if (underWay.delete(id)) {
      const name = metadata.name ?? files.get(inputFileId)?.filename ?? id;
      notify({ title: `“${name}” ${words[status] ?? "has ended"}`, body: describeLines(counts) });
    }
  });
}

function describeLines({ total, completed, failed }: BatchRecord["counts"]): string {
  if (total === 0) return "Its file has problems.";
  return `${completed} of ${total} lines answered${failed === 0 ? "" : `, ${failed} failed`}.`;
}
