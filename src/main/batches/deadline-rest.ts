import { formatCount } from "#contract";
import { ServiceError } from "#main/base";
import type { BatchRecord } from "#main/storage";
import { listAllRetries } from "./deleted-batches.ts";
import type { BatchDeps } from "./deps.ts";
import type { RetryBatch } from "./retry-batch.ts";

interface RestDeps extends Pick<BatchDeps, "connectionRuntime" | "logger" | "store"> {
  readonly setNotice: (notice: string) => void;
  readonly noteAsked: (notice?: string) => void;
  readonly retry: (request: RetryBatch) => Promise<Pick<BatchRecord, "notice">>;
}

/** Whether a batch was cancelled by its deadline with lines left over, and it is not noted that they were asked since. */
export function hasDeadlineRest({ status, endedBy, restAsked, counts }: BatchRecord): boolean {
  if (status !== "cancelled" || endedBy !== "deadline" || restAsked) return false;
  return counts.completed + counts.failed < counts.total;
}

/** Asks directly what the deadline of a batch left over, where that can't be asked twice. What became of it is the batch's notice. */
export async function askDeadlineRest(parts: RestDeps, batch: BatchRecord): Promise<void> {
  const { id, connection, remote, counts, times } = batch;
  const { setNotice, noteAsked, retry, connectionRuntime, logger, store } = parts;
  try {
    // A retry has asked it, and that was not noted: the process ended before, or an earlier version made it. Retries from before the
    // deadline have asked failed lines.
    if (listAllRetries(store, id).some((retried) => retried.times.created >= (times.cancelled ?? 0))) {
      noteAsked();
      return;
    }
    if (remote?.some(({ sentAt, batchId }) => sentAt !== null && batchId === null)) {
      setNotice(
        "Its deadline has passed, and its answers are kept. The rest is not sent again, because the service may have it.",
      );
      return;
    }
    const target = connection === null ? null : await connectionRuntime?.connections.open(connection, true);
    if (!target) {
      setNotice(
        "Its deadline has passed, and its answers are kept. The rest can't be sent, because its connection was removed.",
      );
      return;
    }
    const { notice } = await retry({ id, which: ["never_ran"], direct: true });
    const { awaited = 0 } = counts;
    const leftOut =
      awaited === 0
        ? ""
        : ` ${formatCount(awaited, "line")} may be paid, because the service counted results as done: they are left out.`;
    noteAsked(
      `Its deadline has passed, and its answers are kept. The rest is sent directly.${leftOut}${notice === null ? "" : ` ${notice}`}`,
    );
  } catch (error) {
    if (error instanceof ServiceError) {
      if (error.code !== "nothing_to_retry") setNotice(`Its deadline has passed. ${error.message}`);
      return;
    }
    logger.error("The rest of a batch can't be asked", { batch: id, error: String(error) });
  }
}
