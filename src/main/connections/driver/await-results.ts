import { awaitedCode, backOff, formatCount } from "#contract";
import type { RemotePart } from "#main/base";
import type { RemoteOutcome } from "../adapters/batch-adapter.ts";
import { ConnectionError, isMissing } from "../adapters/connection-error.ts";
import type { RemoteBatch } from "../adapters/read-batch.ts";
import type { PartRun } from "./part-run.ts";
import type { PartReader } from "./read-part.ts";
import { describeUnreadable } from "./report-anomalies.ts";

/** How long results that the service counted are waited for, in milliseconds. */
const longestWait = 30 * 60_000;
/** The longest wait between two reads, in milliseconds. */
const longestReadDelay = 60_000;
/**
 * A batch that did not complete, at a service that doesn't count, is read a second time after so many of the first waits: after 30
 * seconds, unless that wait is set.
 */
const firstDelaysToSecondRead = 15;

/**
 * Reads the results of a batch that has ended until each line has one, or as many were read as the service counts. The wait ends
 * with a cancel, by its user, or after 30 minutes: what is missing then is awaited, and not called missing.
 */
export async function collectResults(
  part: RemotePart,
  ended: RemoteBatch,
  reader: PartReader,
  run: PartRun,
): Promise<RemotePart> {
  const { machine, firstDelay } = run;
  const [wasCancelled, stops] = [run.isCancelled(), run.stops];
  const since = part.awaited?.kind === "results" ? part.awaited.since : machine.wall();
  const start = machine.monotonic() - Math.max(0, machine.wall() - since);
  const isOver = () => machine.monotonic() - start >= longestWait;
  const isStopped = () => run.stops > stops || (run.isCancelled() && !wasCancelled) || isOver();
  let current = part;
  // The record that shows the end may be older than its files.
  let batch =
    ended.outputFileId === null && ended.errorFileId === null ? await readRecord(ended, run, isStopped) : ended;
  let wholeReads = 0;
  for (let attempt = 0; ; attempt++) {
    const problem = await reader.read(batch);
    if (problem === null) wholeReads += 1;
    const missing = findMissing(reader, batch, problem, wholeReads);
    if (missing === 0) return await finish(current, batch, reader, run);
    const awaited = { ...describeAwaited(since, run), results: missing, lines: 0 };
    if (isStopped()) {
      await reader.recordErrors();
      const lines = await reader.recordOpen(explainAwaited(missing));
      return run.change(current, { isFetched: true, awaited: { ...awaited, lines } });
    }
    if (current.awaited?.kind !== "results" || current.awaited.results !== missing) {
      current = run.change(current, { awaited });
    }
    run.wait(
      [
        `Waiting for ${formatCount(missing, "result")} that the service counted as done.`,
        problem === null ? "" : `${problem.message} ${problem.nextStep}`,
        describeKeeping(batch, run),
      ]
        .filter(Boolean)
        .join(" "),
    );
    const isUncounted = batch.status !== "completed" && reader.countMissing(batch) === null && problem === null;
    const delay = backOff(attempt, { first: firstDelay, longest: longestReadDelay });
    await run.rest(isUncounted ? firstDelay * firstDelaysToSecondRead : Math.max(delay, problem?.retryAfter ?? 0));
    batch = await readRecord(batch, run, isStopped);
  }
}

/** Reads once what is still awaited of a part, and records what has come. */
export async function collectLate(part: RemotePart, reader: PartReader, run: PartRun): Promise<RemotePart> {
  const { adapter, machine, signal } = run;
  const batch = await adapter.get(part.batchId ?? "", signal);
  const problem = await reader.read(batch);
  const results = findMissing(reader, batch, problem, 0);
  if (results === 0) return await finish(part, batch, reader, run);
  // The read that follows may find an answer to a line whose error was read.
  if (problem !== null && !isMissing(problem)) throw problem;
  await reader.recordErrors();
  const since = part.awaited?.since ?? machine.wall();
  const lines = reader.countOpen();
  return run.change(part, { awaited: { ...describeAwaited(since, run), results, lines } });
}

/** Of services that don't tell how long they keep results, in days. */
const usuallyKeptDays = 7;

function describeAwaited(since: number, { machine, traits: { resultsKeptDays } }: PartRun) {
  const until = since + (resultsKeptDays ?? usuallyKeptDays) * 86_400_000;
  return { kind: "results" as const, since, until, readAt: machine.wall() };
}

/** How many results are still to come; at a service that doesn't count, as many as there are lines without one. */
function findMissing(
  reader: PartReader,
  batch: RemoteBatch,
  problem: ConnectionError | null,
  wholeReads: number,
): number {
  const open = reader.countOpen();
  if (open === 0) return 0;
  const missing = reader.countMissing(batch);
  if (missing === null) return batch.status !== "completed" && wholeReads > 1 ? 0 : open;
  // A download that failed may hold more than the service counts.
  return problem === null ? missing : Math.max(1, missing);
}

async function finish(part: RemotePart, batch: RemoteBatch, reader: PartReader, run: PartRun): Promise<RemotePart> {
  await reader.recordErrors();
  await reader.recordOpen(explainMissing(batch, reader));
  run.wait(null);
  return run.change(part, { isFetched: true, awaited: null });
}

/** The record at the beginning of each read: the ids of its files may come late. */
async function readRecord(before: RemoteBatch, run: PartRun, isStopped: () => boolean): Promise<RemoteBatch> {
  for (let attempt = 0; ; attempt++) {
    try {
      const next = await run.adapter.get(before.id, run.signal);
      return { ...next, status: before.status, errors: next.errors.length > 0 ? next.errors : before.errors };
    } catch (error) {
      // Its results may be there without it.
      if (isMissing(error)) return before;
      if (error instanceof ConnectionError && isStopped()) return before;
      await run.waitAfter(error, attempt, describeKeeping(before, run));
    }
  }
}

/** Until when the results can be fetched; empty where that is not known. */
function describeKeeping({ endedAt }: RemoteBatch, { machine, traits: { resultsKeptDays } }: PartRun): string {
  if (resultsKeptDays === null) return "";
  const until = new Date((endedAt ?? machine.wall()) + resultsKeptDays * 86_400_000);
  const date = until.toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });
  return `The service keeps the results until ${date}.`;
}

function explainAwaited(results: number): RemoteOutcome {
  const counted = formatCount(results, "result");
  return explainLost(
    awaitedCode,
    `The service counted ${counted} as done and did not hand ${results === 1 ? "it" : "them"} out yet. This line may be paid: fetch the batch again before you retry it.`,
  );
}

/** The outcome of a line for which the service has no result. */
function explainMissing({ status, errors }: RemoteBatch, { unreadable, unknown }: PartReader): RemoteOutcome {
  const strangers = unknown.size > 0 ? "The results have lines under ids that were not sent." : "";
  const why = describeUnreadable(unreadable) || strangers;
  // One of the lines that can't be read or have another id may be its answer, and paid.
  if (why !== "") return explainLost("result_unreadable", `There is no result for this request. ${why}`);
  switch (status) {
    case "cancelled":
      return neverRan("cancelled", "The batch was cancelled before this request was answered.");
    case "expired":
      return neverRan("expired", "The batch expired before this request was answered.");
    case "failed":
      return neverRan("refused", describeRefusal(errors));
    default:
      return explainLost("result_missing", "The service's results have nothing for this request.");
  }
}

export function describeRefusal(errors: readonly string[]): string {
  return `The service refused the batch${errors.length > 0 ? `: ${errors.join(" ")}` : "."}`;
}

function neverRan(reason: "cancelled" | "expired" | "refused", message: string): RemoteOutcome {
  return { state: "never_ran", reason, message };
}

export function explainLost(code: string, message: string): RemoteOutcome {
  const error = { message, type: "server_error", param: null, code };
  return { state: "failed", requestId: null, statusCode: 502, error };
}
