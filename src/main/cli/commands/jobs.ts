import { describeMisfits, finalStatuses, formatCount } from "#contract";
import { type RemotePart, ServiceError } from "#main/base";
import type { BatchRecord } from "#main/storage";
import { createAnswerWriter } from "../answer-writer.ts";
import { countMisfits } from "../batch-report.ts";
import { CliError, type ExitCode, exitCodes, withRemedy } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { refuseSharedOutput } from "../input-file.ts";
import type { FetchFlags, JobFlags, ResolveFlags, RetryFlags } from "../job-flags.ts";
import { finishJob, reportDoubt, reportUnfinished } from "../jobs/finish-job.ts";
import { followBatch, isInDoubt } from "../jobs/follow-batch.ts";
import { followJob, isSubmitted, isUnfinished, setDeadline } from "../jobs/follow-job.ts";
import { findJobsFolder, requireJob, toManifest } from "../jobs/job-folder.ts";
import { countMerged, listWithRetries, type OpenJob, withJob } from "../jobs/open-job.ts";
import { openConnectionStore } from "./connections.ts";
import { describeCounts, describeStatus, nameFile, toJson } from "./list-jobs.ts";

/** `sheaf status ID`: reads the job, and polls its service once. Nothing is sent. */
export async function showStatus(id: string, flags: JobFlags, io: CommandProcess): Promise<ExitCode> {
  return await withStoredJob(id, flags, { resumes: "atService" }, io, async (job, before) => {
    for (const one of listWithRetries(job, before)) await lookOnce(job, one, io);
    const [batch = before, ...retries] = listWithRetries(job, before);
    const manifest = toManifest(job.about, { ...batch, ...(await countMerged(job, batch)) });
    // Counting reads every answer: a running batch is not counted at each look.
    const hasEnded = [batch, ...retries].every(({ status }) => finalStatuses.has(status));
    const misfits = hasEnded ? await countMisfits(job.service, batch, io) : null;
    if (flags.json) {
      print(
        JSON.stringify({
          ...toJson(manifest),
          breaks_schema: misfits,
          waiting: batch.waiting,
          parts: batch.remote?.map(describePart) ?? null,
        }),
        io,
      );
      return exitCodes.ok;
    }
    print(
      `${nameFile(manifest)} on ${manifest.connection.name}: ${describeStatus(manifest)}, ${[describeCounts(manifest), ...(hasEnded ? describeMisfits(misfits) : [])].join(", ")}`,
      io,
    );
    for (const { status, counts } of retries) {
      print(`  ${formatCount(counts.total, "request")} asked again: ${status}`, io);
    }
    for (const part of batch.remote ?? []) {
      const { lines, batch: remoteId, status } = describePart(part);
      const where = remoteId ?? (part.sentAt === null ? "not sent yet" : "in doubt");
      print(`  lines ${lines}: ${where}${status === null ? "" : `, ${status}`}`, io);
    }
    const inDoubt = [batch, ...retries].find(isInDoubt);
    if (inDoubt !== undefined) reportDoubt(job, inDoubt, io);
    return exitCodes.ok;
  });
}

/** `sheaf fetch ID -o OUT`: writes the answers so far; with `--wait`, when the job has ended. */
export async function fetchAnswers(id: string, flags: FetchFlags, io: CommandProcess): Promise<ExitCode> {
  const start = io.machine.monotonic();
  refuseSharedOutput(flags.json, [flags.output, flags.errors]);
  if (flags.deadline !== undefined && !flags.wait) throw new CliError("--deadline needs --wait.", exitCodes.unusable);
  const resumes = flags.wait ? "always" : "atService";
  return await withStoredJob(id, flags, { resumes }, io, async (job, before) => {
    setDeadline(job, before, flags.deadline);
    const writer = await createAnswerWriter(flags, io);
    try {
      if (flags.wait) await followJob(job, id, { silent: flags.json }, io);
      else for (const one of listWithRetries(job, before)) await lookOnce(job, one, io);
      await fetchAwaited(job, before, io);
      const batches = listWithRetries(job, before);
      const batch = batches[0] ?? before;
      if (flags.wait && isUnfinished(job, batch)) {
        return await reportUnfinished(job, batch, { flags, start, resumeHint: "The same command goes on." }, io);
      }
      const exitCode = await finishJob(job, batch, { flags, writer, start }, io);
      const running = batches.find(({ status }) => !finalStatuses.has(status));
      if (running === undefined) return exitCode;
      printError(`The batch is ${running.status}: this is what there is so far. --wait follows it to its end.`, io);
      return exitCodes.failed;
    } finally {
      await writer.discard();
    }
  });
}

/** `sheaf cancel ID`: cancels here and at the service; answers stay. */
export async function cancelJob(id: string, flags: JobFlags, io: CommandProcess): Promise<ExitCode> {
  const start = io.machine.monotonic();
  return await withStoredJob(id, flags, { resumes: "always" }, io, async (job, before) => {
    if (finalStatuses.has(before.status)) {
      throw new CliError(`The batch is ${before.status} already: there is nothing to cancel.`, exitCodes.failed);
    }
    await job.service.batches.cancel(id);
    const batch = await followBatch(job, id, { silent: flags.json }, io);
    if (job.stopped.aborted) {
      const resumeHint = "The service may still be answering: the same command goes on.";
      return await reportUnfinished(job, batch, { flags, start, resumeHint }, io);
    }
    if (flags.json) print(JSON.stringify(toJson(toManifest(job.about, batch))), io);
    else printError(`Cancelled. sheaf fetch ${id} -o OUT has the answers that came before.`, io);
    return exitCodes.ok;
  });
}

/** `sheaf resolve ID`: settles whether a create without an answer succeeded, and ends when every part is at the service. */
export async function resolveJob(id: string, flags: ResolveFlags, io: CommandProcess): Promise<ExitCode> {
  const { sendAgain, is: batchId, cancel } = flags;
  if ([sendAgain, batchId !== undefined, cancel].filter(Boolean).length !== 1) {
    throw new CliError("Give one of --send-again, --is BATCH and --cancel.", exitCodes.unusable);
  }
  if (cancel) return await cancelJob(id, flags, io);
  const start = io.machine.monotonic();
  return await withStoredJob(id, flags, { resumes: "always" }, io, async (job, before) => {
    const inDoubt = listWithRetries(job, before).find(isInDoubt);
    if (inDoubt === undefined)
      throw new CliError("It is known where this job is: nothing is to be settled.", exitCodes.failed);
    if (job.connection === null) throw new CliError("Its connection was removed.", exitCodes.failed);
    try {
      await job.service.batches.settleCreate(
        inDoubt.id,
        batchId === undefined ? { kind: "send_again" } : { kind: "use", batchId },
      );
    } catch (error) {
      throw error instanceof ServiceError ? new CliError(withRemedy(error), exitCodes.failed) : error;
    }
    const batch = await followBatch(job, inDoubt.id, { silent: flags.json, isEnough: isSubmitted }, io);
    if (isUnfinished(job, batch)) {
      return await reportUnfinished(job, batch, { flags, start, resumeHint: `sheaf fetch ${id} --wait goes on.` }, io);
    }
    if (flags.json) print(JSON.stringify(toJson(toManifest(job.about, batch))), io);
    else printError(`Settled. sheaf fetch ${id} -o OUT has the answers.`, io);
    return exitCodes.ok;
  });
}

/** `sheaf retry ID`: asks lines again that failed or never ran, or have an answer that was cut or is empty; with `-o` waits for them, and writes all answers. */
export async function retryJob(id: string, flags: RetryFlags, io: CommandProcess): Promise<ExitCode> {
  const start = io.machine.monotonic();
  refuseSharedOutput(flags.json, [flags.output, flags.errors]);
  if (flags.maxTokens !== undefined && !flags.cut && !flags.empty) {
    throw new CliError("--max-tokens needs --cut or --empty.", exitCodes.unusable);
  }
  return await withStoredJob(id, flags, { resumes: "always" }, io, async (job, before) => {
    await fetchAwaited(job, before, io);
    const retry = await askAgain(job, before, flags);
    if (retry === null) {
      const { mayBePaid } = await job.service.results.left(id);
      const isOnlyPaid = mayBePaid > 0 && !flags.evenIfPaid;
      printError(isOnlyPaid ? describePaid(mayBePaid) : "No line is left to be asked again.", io);
    }
    // Its lines that can't be asked: what follows may show other notices in its place.
    if (retry?.notice) printError(retry.notice, io);
    const isCalledFromHere = job.connection?.adapter === "chat";
    const isFollowed = flags.output !== undefined || flags.wait || isCalledFromHere;
    if (retry !== null) {
      const isEnough = isFollowed ? undefined : isSubmitted;
      await followBatch(job, retry.id, { silent: flags.json, ...(isEnough && { isEnough }) }, io);
    }
    if (isUnfinished(job, before)) {
      return await reportUnfinished(job, before, { flags, start, resumeHint: `sheaf fetch ${id} --wait goes on.` }, io);
    }
    if (!isFollowed && retry !== null) {
      printError(`Submitted. sheaf fetch ${id} -o OUT has all answers.`, io);
      return exitCodes.ok;
    }
    const { output } = flags;
    const writer = output === undefined ? null : await createAnswerWriter({ ...flags, output }, io);
    try {
      return await finishJob(job, before, { flags, writer, start }, io);
    } finally {
      await writer?.discard();
    }
  });
}

/** Reads results that the service counted as done and had not handed out when the job's batches ended. */
export async function fetchAwaited(job: OpenJob, batch: BatchRecord, io: CommandProcess): Promise<void> {
  let isAnyAwaiting = false;
  for (const { id, status, remote } of listWithRetries(job, batch)) {
    const isAwaiting = remote?.some(({ awaited, isFetched }) => isFetched && awaited !== null) ?? false;
    if (!finalStatuses.has(status) || !isAwaiting || job.connection === null) continue;
    isAnyAwaiting = true;
    try {
      await job.service.batches.fetchAgain(id);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      printError(error.message, io);
    }
  }
  if (isAnyAwaiting) reportAwaited(job, batch, io);
}

/** Names what a job and its retries still await, and how it is read. */
export function reportAwaited(job: OpenJob, batch: BatchRecord, io: CommandProcess): void {
  const awaited = listWithRetries(job, batch).reduce((sum, { counts }) => sum + (counts.awaited ?? 0), 0);
  if (awaited === 0) return;
  const results = formatCount(awaited, "result");
  printError(`${results} not there yet, which may be paid: sheaf fetch ${batch.id} -o OUT reads them later.`, io);
}

function describePaid(lines: number): string {
  const which =
    lines === 1 ? "1 line that may be paid already is" : `${formatCount(lines, "line")} that may be paid already are`;
  return `${which} left: --even-if-paid asks ${lines === 1 ? "it" : "them"} again.`;
}

/**
 * Creates a batch of a job's lines that have no answer, or one that was cut or is empty, and aren't being asked already; of those that may
 * be paid only when asked to. Null for none.
 */
async function askAgain(
  { service }: OpenJob,
  { id }: BatchRecord,
  { cut, empty, maxTokens, evenIfPaid }: RetryFlags,
): Promise<BatchRecord | null> {
  const answered = [...(cut ? (["cut"] as const) : []), ...(empty ? (["empty"] as const) : [])];
  const paid = evenIfPaid ? (["may_be_paid"] as const) : [];
  try {
    const which = ["failed", "refused", "never_ran", ...answered, ...paid] as const;
    return await service.batches.retry({ id, which, evenIfPaid, ...(maxTokens !== undefined && { maxTokens }) });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "nothing_to_retry") return null;
    const hint = error.code === "may_be_paid" ? " --even-if-paid does." : "";
    throw new CliError(`${error.message}${hint}`, exitCodes.failed);
  }
}

/** Opens a job, and resumes it: "always", or "atService" only where the service runs the batch and not this process. */
async function withStoredJob<T>(
  id: string,
  flags: JobFlags,
  { resumes }: { readonly resumes: "always" | "atService" },
  io: CommandProcess,
  work: (job: OpenJob, batch: BatchRecord) => Promise<T>,
): Promise<T> {
  const { folder, manifest } = await requireJob(findJobsFolder(flags, io), id);
  const store = await openConnectionStore(flags, io);
  const connection = await store.find(manifest.connection.id);
  const isBatchService = connection !== undefined && connection.adapter !== "chat";
  const options = { folder, about: manifest, store, resumes: resumes === "always" || isBatchService };
  return await withJob(options, io, async (job) => {
    const batch = job.service.batches.get(id);
    if (batch === undefined) throw new CliError(`The job ${id} has lost its batch.`, exitCodes.failed);
    return await work(job, batch);
  });
}

/** Polls the batch's service once, and returns the batch with the results so far; unchanged where it is at no service. */
async function lookOnce(job: OpenJob, before: BatchRecord, io: CommandProcess): Promise<BatchRecord> {
  if (before.remote === null || finalStatuses.has(before.status) || job.connection === null) return before;
  const start = io.machine.wall();
  const isSeen = ({ isFetched, lookedAt }: RemotePart) => isFetched || (lookedAt ?? 0) >= start;
  const isEnough = ({ remote, waiting }: BatchRecord) => waiting !== null || (remote?.every(isSeen) ?? false);
  return await followBatch(job, before.id, { silent: true, isEnough }, io);
}

function describePart({ from, to, batchId, rawStatus }: RemotePart) {
  return { lines: `${from}-${to}`, batch: batchId, status: rawStatus };
}
