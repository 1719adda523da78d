import { type Connection, finalStatuses } from "#contract";
import type { BatchRecord } from "#service";
import { CliError, exitCodes } from "../cli-error.ts";
import { type CommandProcess, printError } from "../command-process.ts";
import { createRequestProgress } from "../progress.ts";
import { listWithRetries, type OpenJob } from "./open-job.ts";

/** Whether every part is at its service, which continues without this process. */
export const isSubmitted = ({ remote }: BatchRecord) => remote?.every(({ batchId }) => batchId !== null) ?? false;

/** Whether it is unknown if a create succeeded: the user decides, and until then nothing is sent. */
export const isInDoubt = ({ status, remote }: BatchRecord) =>
  status === "in_progress" && (remote?.some(({ candidates }) => candidates !== null) ?? false);

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
  if (batch.notice !== null && retries.length > 0) printError(batch.notice, io);
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

/** Shows how far a batch is, and why nothing moves, until it has ended, is in doubt, `isEnough`, or Ctrl+C. */
export async function followBatch(
  { service, connection, stopped }: OpenJob,
  batchId: string,
  { silent, isEnough = () => false }: { silent: boolean; isEnough?: (batch: BatchRecord) => boolean },
  io: CommandProcess,
): Promise<BatchRecord> {
  const { batches } = service;
  const progress = createRequestProgress({ silent, io });
  const enough = Promise.withResolvers<void>();
  let reported: string | null = null;
  const show = (batch: BatchRecord) => {
    const { id, counts, waiting } = batch;
    if (id !== batchId) return;
    if (counts.total > 0) progress.update(counts.completed + counts.failed, counts.total);
    if (waiting !== reported && waiting !== null)
      printError(`Waiting: ${waiting}${describeKeyChange(connection, waiting)}`, io);
    reported = waiting;
    if (isEnough(batch) || isInDoubt(batch)) enough.resolve();
  };
  const current = () => {
    const batch = batches.get(batchId);
    if (batch === undefined) throw new Error(`Batch ${batchId} is gone.`);
    return batch;
  };
  const unsubscribe = batches.subscribe(show);
  stopped.addEventListener("abort", () => enough.resolve(), { once: true });
  try {
    show(current());
    if (!stopped.aborted) await Promise.race([batches.settled(batchId).catch(() => undefined), enough.promise]);
    return current();
  } finally {
    unsubscribe();
    progress.stop();
  }
}

/** How the key is changed while the command runs, where it was refused. */
function describeKeyChange(connection: Connection | null, waiting: string): string {
  if (connection === null || !waiting.includes("refused the key")) return "";
  const { name, keyVariable } = connection;
  if (keyVariable === null)
    return ` Or: sheaf connections key ${JSON.stringify(name)}. This command goes on by itself.`;
  return ` It is the one in ${keyVariable}: stop with Ctrl+C, set the variable, and give the same command again.`;
}
