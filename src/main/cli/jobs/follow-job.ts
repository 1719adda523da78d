import { finalStatuses } from "#contract";
import type { BatchRecord } from "#main/storage";
import { CliError, exitCodes } from "../cli-error.ts";
import { type CommandProcess, printError } from "../command-process.ts";
import { followBatch, isInDoubt } from "./follow-batch.ts";
import { listWithRetries, type OpenJob } from "./open-job.ts";

/** Whether every part is at its service, which continues without this process. */
export const isSubmitted = ({ remote }: BatchRecord) => remote?.every(({ batchId }) => batchId !== null) ?? false;

/** Whether a job stopped before its end: by Ctrl+C, or because one of its batches is in doubt. */
export function isUnfinished(job: OpenJob, batch: BatchRecord): boolean {
  return job.stopped.aborted || listWithRetries(job, batch).some(isInDoubt);
}

/** Follows a job's batch to its end, and then what asks some of its lines again: its deadline may have left such. */
export async function followJob(
  job: OpenJob,
  batchId: string,
  output: { silent: boolean },
  io: CommandProcess,
): Promise<BatchRecord> {
  const batch = await followBatch(job, batchId, output, io);
  const retries = listWithRetries(job, batch).filter(({ id }) => id !== batchId);
  if (batch.notice !== null) printError(batch.notice, io);
  for (const { id } of retries) await followBatch(job, id, output, io);
  return batch;
}

/** Has a job's batch cancelled at that time if it still runs then, and the rest asked directly. */
export function setDeadline({ service, connection }: OpenJob, batch: BatchRecord, deadline: number | undefined): void {
  if (deadline === undefined || batch.status === "cancelling" || finalStatuses.has(batch.status)) return;
  if (connection?.adapter === "chat") {
    const why = `${connection.name} is asked directly already: --deadline is for services with batches of their own.`;
    throw new CliError(why, exitCodes.unusable);
  }
  service.batches.setDeadline(batch.id, deadline);
}
