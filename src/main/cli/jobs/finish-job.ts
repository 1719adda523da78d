import type { BatchRecord } from "#service";
import { priceTokens } from "../../connections/index.ts";
import type { AnswerWriter } from "../answer-writer.ts";
import { reportOutcome } from "../batch-report.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, printError } from "../command-process.ts";
import { formatCount } from "../phrases.ts";
import { countMerged, type OpenJob } from "./open-job.ts";

interface FinishOptions {
  readonly flags: {
    readonly output?: string | undefined;
    readonly errors?: string | undefined;
    readonly json: boolean;
  };
  /** Null where nothing is to be written. */
  readonly writer: AnswerWriter | null;
  /** When the command began. */
  readonly start: number;
}

/** Writes the answers that there are, and says what came of the job. */
export async function finishJob(
  job: OpenJob,
  batch: BatchRecord,
  { flags, writer, start }: FinishOptions,
  io: CommandProcess,
): Promise<ExitCode> {
  if (writer !== null) await writer.writeAll(job.service.results.exportLines(batch.id, { merged: true }));
  const outcome = {
    ...(await countMerged(job, batch)),
    took: performance.now() - start,
    job: {
      id: batch.id,
      connection: job.about.connection.name,
      reused: batch.reused?.lines ?? 0,
      cost: await sumCost(job, batch),
    },
  };
  const written = writer === null ? { json: flags.json } : flags;
  return reportOutcome(outcome, written, io);
}

/** Says how far a job is that Ctrl+C stopped, and how it goes on. All that is answered is kept. */
export async function reportStopped(
  job: OpenJob,
  batch: BatchRecord,
  { flags, start, goOn }: Omit<FinishOptions, "writer"> & { goOn: string },
  io: CommandProcess,
): Promise<ExitCode> {
  // What is in flight is still to be answered.
  await job.service.close();
  const { id, counts } = job.service.batches.get(batch.id) ?? batch;
  if (flags.json) await finishJob(job, { ...batch, counts }, { flags, writer: null, start }, io);
  printError(
    `Stopped: ${counts.completed + counts.failed} of ${formatCount(counts.total, "request")} done. ${goOn}`,
    io,
  );
  printError(`sheaf status ${id} says how far it is.`, io);
  return exitCodes.failed;
}

/** What the answered lines cost, in US dollars; null where no price is known or no line says what it took. */
async function sumCost({ service, connection }: OpenJob, batch: BatchRecord): Promise<number | null> {
  if (connection === null) return null;
  let cost: number | null = null;
  for await (const details of service.results.details(batch.id)) {
    for (const { promptTokens, completionTokens, model } of details) {
      if (promptTokens === null || completionTokens === null) continue;
      const price = priceTokens({ promptTokens, completionTokens }, { connection, model });
      if (price !== null) cost = (cost ?? 0) + price;
    }
  }
  return cost;
}
