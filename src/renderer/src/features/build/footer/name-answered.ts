import { type BatchView, finalStatuses } from "#contract";

type Answered = Pick<BatchView, "id" | "status"> & { readonly counts: Pick<BatchView["counts"], "completed"> };

/**
 * Names the answers that requests can take: another name when a batch ends, gets another answer or goes. Answers of batches
 * that run are not taken. Another connection may have the same address, so that all batches count.
 */
export function nameAnswered(batches: readonly Answered[]): string {
  return batches
    .filter(({ status }) => finalStatuses.has(status))
    .map(({ id, counts }) => `${id}:${counts.completed}`)
    .join(" ");
}
