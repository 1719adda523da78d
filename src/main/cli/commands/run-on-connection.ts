import { finalStatuses, formatCount } from "#contract";
import type { BatchRecord } from "#main/storage";
import type { AnswerWriter } from "../answer-writer.ts";
import type { RunFlags } from "../batch-flags.ts";
import { reportProblems } from "../batch-report.ts";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { type InputRows, openInputRows } from "../input-rows.ts";
import type { SubmitFlags } from "../job-flags.ts";
import { finishJob, reportUnfinished } from "../jobs/finish-job.ts";
import { followBatch, isInDoubt } from "../jobs/follow-batch.ts";
import { followJob, isSubmitted, isUnfinished, setDeadline } from "../jobs/follow-job.ts";
import type { OpenJob } from "../jobs/open-job.ts";
import { withJobOf } from "../jobs/start-job.ts";
import { openConnectionStore, requireConnection } from "./connections.ts";
import { fetchAwaited, reportAwaited } from "./jobs.ts";

/** `sheaf run FILE --connection NAME`: a job that is resumed when the command is given again. */
export async function runOnConnection(
  input: InputRows,
  name: string,
  flags: RunFlags,
  writer: AnswerWriter,
  io: CommandProcess,
): Promise<ExitCode> {
  const start = io.machine.monotonic();
  const store = await openConnectionStore(flags, io);
  const connection = await requireConnection(store, name);
  return await withJobOf(input, { store, connection, flags }, io, async (job, submitted) => {
    setDeadline(job, submitted, flags.deadline);
    const isResumed = finalStatuses.has(submitted.status);
    const batch = await followJob(job, submitted.id, { silent: flags.json }, io);
    if (batch.status === "failed") return reportProblems(input, batch.problems, flags, io);
    if (isUnfinished(job, batch)) {
      return await reportUnfinished(job, batch, { flags, start, resumeHint: "The same command goes on." }, io);
    }
    if (isResumed) await fetchAwaited(job, batch, io);
    else reportAwaited(job, batch, io);
    const exitCode = await finishJob(job, job.service.batches.get(batch.id) ?? batch, { flags, writer, start }, io);
    if (exitCode !== exitCodes.ok) printError(`sheaf retry ${batch.id} asks what has no answer again.`, io);
    return exitCode;
  });
}

/** `sheaf submit FILE --connection NAME`: submits a batch to its service, and ends. */
export async function submit(file: string, flags: SubmitFlags, io: CommandProcess): Promise<ExitCode> {
  const start = io.machine.monotonic();
  const store = await openConnectionStore(flags, io);
  const connection = await requireConnection(store, flags.connection);
  if (connection.adapter === "chat") {
    const instead = `sheaf run ${file} --connection ${JSON.stringify(connection.name)} -o OUT`;
    throw new CliError(
      `${connection.name} answers one call at a time and has no batches that could be left to it. Instead: ${instead}`,
      exitCodes.unusable,
    );
  }
  const input = await openInputRows(file, flags, io);
  try {
    return await withJobOf(input, { store, connection, flags }, io, async (job, submitted) => {
      const accepted = await followBatch(job, submitted.id, { silent: true, isEnough: isChecked }, io);
      if (accepted.status === "failed") return reportProblems(input, accepted.problems, flags, io);
      if (!flags.json) print(accepted.id, io);
      const batch = await followBatch(job, submitted.id, { silent: true, isEnough: isSubmitted }, io);
      if (isInDoubt(batch)) {
        const unfinished = { flags: { json: flags.json }, start, resumeHint: "" };
        return await reportUnfinished(job, batch, unfinished, io);
      }
      return reportSubmitted(job, batch, flags, io);
    });
  } finally {
    await input.discard();
  }
}

const isChecked = ({ status }: BatchRecord) => status !== "validating";

function reportSubmitted(job: OpenJob, batch: BatchRecord, { json }: SubmitFlags, io: CommandProcess): ExitCode {
  const parts = batch.remote ?? [];
  const sent = parts.filter(({ batchId }) => batchId !== null).length;
  if (json) {
    const { id, counts } = batch;
    print(
      JSON.stringify({ id, connection: job.about.connection.name, total: counts.total, parts: parts.length, sent }),
      io,
    );
  }
  if (!isSubmitted(batch) && job.stopped.aborted) {
    printError("Stopped before all of it was sent. The same command goes on.", io);
    return exitCodes.failed;
  }
  const requests = formatCount(batch.counts.total, "request");
  const where = parts.length > 1 ? ` in ${parts.length} parts` : "";
  printError(
    `${requests} submitted${where} to ${job.about.connection.name}. sheaf fetch ${batch.id} -o OUT has the answers.`,
    io,
  );
  return exitCodes.ok;
}
