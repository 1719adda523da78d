import { isDeepStrictEqual } from "node:util";
import { finalStatuses } from "#contract";
import type { RemotePart } from "#main/base";
import type { PartLine } from "#main/requests";
import type { RemoteOutcome } from "../adapters/batch-adapter.ts";
import { ConnectionError, describePostponed, isMissing } from "../adapters/connection-error.ts";
import type { RemoteBatch } from "../adapters/read-batch.ts";
import { noAnomalies, type PartRun, type ResultAnomalies } from "./part-run.ts";

/** How a part ended: its results are stored, or the service refused the whole batch for now and none of it ran. */
export type PartEnd = "fetched" | "postponed";

/** Polls a part until it has ended, and stores its results. `onPoll` is called after each poll. */
export async function followPart(part: RemotePart, run: PartRun, onPoll: () => void): Promise<PartEnd> {
  const { adapter, signal } = run;
  let current = part;
  let isCancelled = false;
  for (;;) {
    const id = current.batchId ?? "";
    if (run.isCancelled() && !isCancelled) {
      if (run.traits.learned.cancelKeepsResults === false) await fetchPartial(current, run);
      await run.retryUntilAnswered(() => adapter.cancel(id, signal).catch(ignoreRefusal));
      isCancelled = true;
    }
    const batch = await pollOnce(id, run);
    const counts = readCounts(batch, run);
    if (batch.rawStatus !== current.rawStatus || !isDeepStrictEqual(counts, current.counts)) {
      current = run.change(current, { rawStatus: batch.rawStatus, counts, movedAt: run.machine.wall() });
    }
    onPoll();
    learnFrom(batch, run);
    if (!finalStatuses.has(batch.status)) {
      current = run.show(current, { lookedAt: run.machine.wall() });
      continue;
    }
    const reason = run.isCancelled() ? null : whyPostponed(batch);
    if (reason !== null) {
      await run.waitAfter(reason, 0);
      return "postponed";
    }
    await fetchResults(current, batch, run);
    run.change(current, { isFetched: true });
    return "fetched";
  }
}

/** Records the capabilities of the service that the batch shows. */
function learnFrom(
  { status, counts, outputFileId, createdAt, endedAt }: RemoteBatch,
  { learn, traits }: PartRun,
): void {
  const done = counts === null ? 0 : counts.completed + counts.failed;
  if (!finalStatuses.has(status)) {
    if (done > 0) learn({ hasCounts: true });
    if (outputFileId !== null) learn({ hasPartialResults: true });
  }
  if (status === "cancelled" && (outputFileId !== null || done > 0))
    learn({ cancelKeepsResults: outputFileId !== null });
  if (status === "completed" && createdAt !== null && endedAt !== null) {
    const minutes = Math.max(1, Math.round((endedAt - createdAt) / 60_000));
    if (minutes > (traits.learned.longestMinutes ?? 0)) learn({ longestMinutes: minutes });
  }
}

async function pollOnce(id: string, run: PartRun): Promise<RemoteBatch> {
  for (;;) {
    try {
      const batch = await run.poller.next(id, run.signal);
      run.wait(null);
      return batch;
    } catch (error) {
      if (isGone(error) && run.isCancelled()) return { ...goneBatch, id };
      // The poller waits before it asks again.
      await run.waitAfter(error, 0);
    }
  }
}

/** A batch that the service no longer has ends only when the user cancels it. */
function isGone(error: unknown): boolean {
  return error instanceof ConnectionError && (error.status === 404 || error.status === 410);
}

/** Counts that stay at 0 until the end carry no information: an indeterminate progress bar is shown instead. */
function readCounts({ counts, status }: RemoteBatch, { traits }: PartRun): RemotePart["counts"] {
  if (counts === null) return null;
  const { completed, failed } = counts;
  const saysNothing =
    !(traits.learned.hasCounts ?? traits.hasCounts) && completed + failed === 0 && !finalStatuses.has(status);
  return saysNothing ? null : { completed, failed };
}

/** Why a batch that failed as a whole can be sent again later: the account was at a limit, and no request was at fault. */
function whyPostponed({ status, errors, outputFileId, errorFileId }: RemoteBatch): ConnectionError | null {
  if (status !== "failed" || outputFileId !== null || errorFileId !== null) return null;
  return describePostponed(errors, "The service");
}

/** Records the outcome of each line of the part that has no answer yet, also of those that the service has no result for. */
async function fetchResults(part: RemotePart, batch: RemoteBatch, run: PartRun): Promise<void> {
  const { job } = run;
  const own = await readOwn(part, run);
  const hint = describeKeeping(batch, run);
  let attempts = 0;
  let areGone = batch.rawStatus === goneBatch.rawStatus;
  let { unreadable } = noAnomalies();
  await run.retryUntilAnswered(async () => {
    if (areGone) return;
    attempts += 1;
    const anomalies = noAnomalies();
    try {
      await recordResults(batch, own, anomalies, run);
    } catch (error) {
      areGone = isMissing(error) && attempts === attemptsAtGone;
      if (!areGone) throw error;
    }
    unreadable = anomalies.unreadable;
    addAnomalies(anomalies, run);
  }, hint);
  if (batch.status === "failed" && !areGone) run.setNotice("refused", describeRefusal(batch.errors));
  await job.drained();
  const missing = explainMissing(batch, areGone, unreadable);
  for (const line of own.lines) if (!job.isAnswered(line.line)) record(line, missing, run);
  for (const line of own.damaged) if (!job.isAnswered(line)) job.failDamaged(line, true);
  await job.drained();
}

/** Records the service's results for lines that have no answer yet. */
async function recordResults(
  batch: RemoteBatch,
  own: OwnLines,
  anomalies: ResultAnomalies,
  run: PartRun,
): Promise<void> {
  const { job, adapter, signal } = run;
  const seen = new Set<string>();
  const count = (ids: Map<string, number>, id: string) => ids.set(id, (ids.get(id) ?? 0) + 1);
  let recorded = 0;
  for await (const result of adapter.results(batch, signal)) {
    if ("unreadable" in result) {
      anomalies.unreadable[result.unreadable] += 1;
      continue;
    }
    const { remoteId, outcome } = result;
    const line = own.find(remoteId);
    if (line === undefined) count(anomalies.unknown, remoteId);
    else if (seen.has(remoteId)) count(anomalies.repeated, line.customId);
    if (line === undefined || seen.has(remoteId)) continue;
    seen.add(remoteId);
    if (job.isAnswered(line.line)) continue;
    record(line, outcome, run);
    recorded += 1;
    if (recorded % recordedAtOnce === 0) await job.drained();
  }
}

/** After so many answers that the results don't exist, they are gone. */
const attemptsAtGone = 3;

/** Fetches the answers so far, before a cancel at a service that drops them with it; best effort. */
async function fetchPartial(part: RemotePart, run: PartRun): Promise<void> {
  const batch = await pollOnce(part.batchId ?? "", run);
  if (finalStatuses.has(batch.status) || batch.outputFileId === null) return;
  const own = await readOwn(part, run);
  try {
    await recordResults(batch, own, noAnomalies(), run);
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
  }
  await run.job.drained();
}

/** The lines of a part by the ids under which they were sent. */
async function readOwn(part: RemotePart, run: PartRun): Promise<OwnLines> {
  const byId = new Map<string, Line>();
  const damaged: number[] = [];
  for await (const line of run.lines(part, (number) => damaged.push(number))) {
    byId.set(run.adapter.toRemoteId(line), { line: line.line, customId: line.customId });
  }
  const [only] = damaged;
  return {
    lines: [...byId.values()],
    damaged,
    // The one result that fits no other line is that of the one line whose id is not known: its own id counts.
    find: (remoteId) =>
      byId.get(remoteId) ??
      (only !== undefined && damaged.length === 1 ? { line: only, customId: remoteId } : undefined),
  };
}

type Line = Pick<PartLine, "line" | "customId">;
interface OwnLines {
  readonly lines: readonly Line[];
  /** Those that are damaged on disk: under which ids they were sent is not known. */
  readonly damaged: readonly number[];
  find(remoteId: string): Line | undefined;
}

/** The most answers that wait to be written. */
const recordedAtOnce = 1_000;

function record({ line, customId }: Line, outcome: RemoteOutcome, { job }: PartRun): void {
  switch (outcome.state) {
    case "answered":
      job.answer(line, customId, outcome.requestId, outcome.completion);
      break;
    case "failed":
      job.fail(line, customId, outcome.requestId, outcome.statusCode, outcome.error, outcome.partial);
      break;
    case "never_ran":
      job.skip(line, customId, { code: `batch_${outcome.reason}`, message: outcome.message });
      break;
  }
}

/** Adds the repeated and unknown lines in a part's results to those of other parts, and names them in a notice. */
function addAnomalies(found: ResultAnomalies, { anomalies, setNotice }: PartRun): void {
  for (const kind of ["repeated", "unknown"] as const) {
    for (const [id, count] of found[kind]) anomalies[kind].set(id, (anomalies[kind].get(id) ?? 0) + count);
  }
  anomalies.unreadable.too_long += found.unreadable.too_long;
  anomalies.unreadable.no_result += found.unreadable.no_result;
  const { repeated, unknown, unreadable } = anomalies;
  const sentences = [
    repeated.size > 0
      ? `The service answered ${describeLines(repeated)} more than once: the first answer of each counts.`
      : "",
    unknown.size > 0 ? `It answered ${describeLines(unknown)} that this batch did not ask.` : "",
    describeUnreadable(unreadable),
  ].filter(Boolean);
  if (sentences.length > 0) setNotice("anomalies", sentences.join(" "));
}

/** `2 lines of the results can't be read: 1 has more than 64 MB, 1 is no result.` Empty where all can. */
function describeUnreadable({ too_long: long, no_result: strange }: ResultAnomalies["unreadable"]): string {
  if (long + strange === 0) return "";
  const causes = [
    long > 0 ? `${long.toLocaleString("en")} ${long === 1 ? "has" : "have"} more than 64 MB` : "",
    strange > 0 ? `${strange.toLocaleString("en")} ${strange === 1 ? "is no result" : "are no results"}` : "",
  ];
  const lines = long + strange === 1 ? "1 line" : `${(long + strange).toLocaleString("en")} lines`;
  return `${lines} of the results can't be read: ${causes.filter(Boolean).join(", ")}.`;
}

const idsListed = 5;

/** `12 lines (q-1, q-2, …)`. */
function describeLines(counts: ReadonlyMap<string, number>): string {
  const ids = [...counts.keys()];
  const more = ids.length > idsListed ? ", …" : "";
  const lines = ids.length === 1 ? "1 line" : `${ids.length.toLocaleString("en")} lines`;
  return `${lines} (${ids.slice(0, idsListed).join(", ")}${more})`;
}

/** Until when the results can be fetched; empty where that is not known. */
function describeKeeping({ endedAt }: RemoteBatch, { machine, traits: { resultsKeptDays } }: PartRun): string {
  if (resultsKeptDays === null) return "";
  const until = new Date((endedAt ?? machine.wall()) + resultsKeptDays * 86_400_000);
  const date = until.toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });
  return `The service keeps the results until ${date}.`;
}

const goneBatch: Omit<RemoteBatch, "id"> = {
  status: "failed",
  rawStatus: "gone",
  counts: null,
  inputFileId: null,
  outputFileId: null,
  errorFileId: null,
  createdAt: null,
  endedAt: null,
  expiresAt: null,
  metadata: {},
  errors: ["It no longer has it."],
};

/** Cancels; a service that refuses has ended the batch already, or is about to. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ConnectionError) || error.code !== "refused") throw error;
}

/** The outcome of a line for which the service has no result. */
function explainMissing(
  { status, errors }: RemoteBatch,
  areGone: boolean,
  unreadable: ResultAnomalies["unreadable"],
): RemoteOutcome {
  const why = describeUnreadable(unreadable);
  if (areGone) return explainLost("results_gone", "The service no longer has the results of this batch.");
  switch (status) {
    case "cancelled":
      return neverRan("cancelled", "The batch was cancelled before this request was answered.");
    case "expired":
      return neverRan("expired", "The batch expired before this request was answered.");
    case "failed":
      return neverRan("refused", describeRefusal(errors));
    default:
      return why === ""
        ? explainLost("result_missing", "The service's results have nothing for this request.")
        : explainLost("result_unreadable", `There is no result for this request. ${why}`);
  }
}

function describeRefusal(errors: readonly string[]): string {
  return `The service refused the batch${errors.length > 0 ? `: ${errors.join(" ")}` : "."}`;
}

function neverRan(reason: "cancelled" | "expired" | "refused", message: string): RemoteOutcome {
  return { state: "never_ran", reason, message };
}

function explainLost(code: string, message: string): RemoteOutcome {
  const error = { message, type: "server_error", param: null, code };
  return { state: "failed", requestId: null, statusCode: 502, error };
}
