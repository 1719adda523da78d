import { type BatchCost, formatCount, sumKnownCosts } from "#contract";
import type { BatchRecord } from "#main/storage";
import type { AnswerWriter } from "../answer-writer.ts";
import { countMisfits, reportOutcome } from "../batch-report.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, printError } from "../command-process.ts";
import { isInDoubt } from "./follow-batch.ts";
import { countMerged, listWithRetries, type OpenJob } from "./open-job.ts";

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
  /** Whether the answers that break their schemas are counted; default: true. Each answer is read for it. */
  readonly countsMisfits?: boolean;
}

/** Writes the answers that there are, and reports the job's outcome. */
export async function finishJob(
  job: OpenJob,
  batch: BatchRecord,
  { flags, writer, start, countsMisfits = true }: FinishOptions,
  io: CommandProcess,
): Promise<ExitCode> {
  let damaged = 0;
  const onDamaged = () => {
    damaged += 1;
  };
  const view = { merged: true };
  if (writer !== null) await writer.writeAll(job.service.results.exportLines(batch.id, view, undefined, onDamaged));
  const { counts, ends } = await countMerged(job, batch);
  const outcome = {
    ...counts,
    ends: ends ?? {},
    misfits: countsMisfits ? await countMisfits(job.service, batch, io) : null,
    damaged,
    took: io.machine.monotonic() - start,
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

/** Reports the progress of a job that stopped before its end, why it stopped, and how it is resumed. Every answer is kept. */
export async function reportUnfinished(
  job: OpenJob,
  batch: BatchRecord,
  { flags, start, resumeHint }: Omit<FinishOptions, "writer" | "countsMisfits"> & { resumeHint: string },
  io: CommandProcess,
): Promise<ExitCode> {
  // What is in flight is still to be answered, and nothing more is sent.
  await job.service.close();
  const now = job.service.batches.get(batch.id) ?? batch;
  const { id } = now;
  const { total, completed, failed } = (await countMerged(job, now)).counts;
  if (flags.json) await finishJob(job, now, { flags, writer: null, start, countsMisfits: false }, io);
  const doubtful = listWithRetries(job, now).find(isInDoubt);
  if (doubtful !== undefined) return reportDoubt(job, doubtful, io);
  printError(`Stopped: ${completed + failed} of ${formatCount(total, "request")} done. ${resumeHint}`, io);
  printError(`sheaf status ${id} says how far it is.`, io);
  return exitCodes.failed;
}

/** Reports that it is not known whether the service has a part of a batch, and how its user settles that. */
export function reportDoubt({ about }: OpenJob, { id, link, remote }: BatchRecord, io: CommandProcess): ExitCode {
  const { from, to, candidates } = remote?.find((part) => part.candidates !== null) ?? {
    from: 0,
    to: 0,
    candidates: [],
  };
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  printError(
    `${about.connection.name} may have ${lines} already: the answer to the batch's creation was lost, and looking for it found none for sure. Sending them again pays twice if it is there.`,
    io,
  );
  for (const { id: batchId, createdAt, lines: count } of candidates ?? []) {
    const size = count === null ? "" : `, ${formatCount(count, "request")}`;
    printError(`It may be ${batchId}${size}${createdAt === null ? "" : `, ${new Date(createdAt).toISOString()}`}`, io);
  }
  // A job has the id of its first batch, also where a retry is in doubt.
  printError(`sheaf resolve ${link?.kind === "retry" ? link.root : id} --send-again | --is BATCH | --cancel`, io);
  return exitCodes.failed;
}

/** What the answers cost that were asked, retries included; null where no price is known. */
async function sumCost(job: OpenJob, batch: BatchRecord): Promise<BatchCost | null> {
  const costs = listWithRetries(job, batch).map(async (one) => {
    const { completed, reused = 0 } = one.counts;
    return { cost: await job.service.costs.of(one), asked: completed - reused };
  });
  return sumKnownCosts(await Promise.all(costs));
}
