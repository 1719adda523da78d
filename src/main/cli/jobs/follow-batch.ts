import type { Connection } from "#contract";
import type { BatchRecord } from "#main/storage";
import { type CommandProcess, printError } from "../command-process.ts";
import { createRequestProgress } from "../progress.ts";
import type { OpenJob } from "./open-job.ts";

/** Whether it is unknown if a create succeeded: the user decides, and until then nothing is sent. */
export const isInDoubt = ({ status, remote }: BatchRecord) =>
  status === "in_progress" && (remote?.some(({ candidates }) => candidates !== null) ?? false);

/** What is followed: a batch of a job, or one that the command's own service answers. */
export interface Followed extends Pick<OpenJob, "connection" | "stopped"> {
  readonly service: Pick<OpenJob["service"], "batches">;
}

/** Shows how far a batch is, and why nothing moves, until it has ended, is in doubt, `isEnough`, or Ctrl+C. */
export async function followBatch(
  { service, connection, stopped }: Followed,
  batchId: string,
  { silent, isEnough = () => false }: { silent: boolean; isEnough?: (batch: BatchRecord) => boolean },
  io: CommandProcess,
): Promise<BatchRecord> {
  const { batches } = service;
  const progress = createRequestProgress({ silent, io, timeLeft: () => batches.progress(batchId).timeLeft });
  const enough = Promise.withResolvers<void>();
  let reported: string | null = null;
  const show = (batch: BatchRecord) => {
    const { id, counts, waiting } = batch;
    if (id !== batchId) return;
    if (counts.total > 0) progress.update(counts.completed + counts.failed, counts.total);
    if (waiting !== reported && waiting !== null)
      printError(
        `${waiting.startsWith("Waiting ") ? "" : "Waiting: "}${waiting}${describeKeyChange(connection, waiting)}`,
        io,
      );
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
    if (!stopped.aborted) await Promise.race([batches.settled(batchId), enough.promise]);
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
