import { isDeepStrictEqual } from "node:util";
import { backOff, finalStatuses } from "#contract";
import type { RemotePart } from "#main/base";
import { ConnectionError, describePostponed } from "../adapters/connection-error.ts";
import type { RemoteBatch } from "../adapters/read-batch.ts";
import { collectResults, describeRefusal, explainLost } from "./await-results.ts";
import type { PartRun } from "./part-run.ts";
import { createPartReader, type PartReader } from "./read-part.ts";

/** How a part ended: its results are stored, or the service refused the whole batch for now and none of it ran. */
export type PartEnd = "fetched" | "postponed";

export interface FollowEvents {
  /** Called after each poll. */
  onPoll(): void;
  /** Called when the service has nothing more to do for it, before its results are read. */
  onOver(): void;
  /** How often its batch was refused before: each time it waits longer. */
  readonly postponed: number;
}

/** Polls a part until it has ended, and stores its results. */
export async function followPart(
  part: RemotePart,
  run: PartRun,
  { onPoll, onOver, postponed }: FollowEvents,
): Promise<PartEnd> {
  const { adapter, signal } = run;
  let current = part;
  let isCancelled = false;
  const reader = createReaderOnce(part, run);
  const judge = createStateJudge(reader, run);
  for (;;) {
    const id = current.batchId ?? "";
    if (run.isCancelled() && !isCancelled) {
      if (run.traits.learned.cancelKeepsResults === false) await fetchPartial(current, await reader(), run);
      await run.retryUntilAnswered(() => adapter.cancel(id, signal).catch(ignoreRefusal));
      isCancelled = true;
    }
    const batch = await pollOnce(id, current, run);
    const counts = readCounts(batch, run);
    if (batch.rawStatus !== current.rawStatus || !isDeepStrictEqual(counts, current.counts)) {
      current = run.change(current, { rawStatus: batch.rawStatus, counts, movedAt: run.machine.wall() });
    }
    onPoll();
    learnFrom(batch, run);
    const verdict = batch.isUnknown
      ? await judge(batch, current)
      : finalStatuses.has(batch.status)
        ? "over"
        : "running";
    if (verdict === "running" || verdict === "unclear") {
      if (verdict === "unclear" && current.awaited === null) {
        const since = run.machine.wall();
        current = run.change(current, {
          awaited: { kind: "state", since, until: since, results: 0, lines: 0, readAt: since },
        });
      } else if (verdict === "running" && current.awaited?.kind === "state") {
        current = run.change(current, { awaited: null });
      }
      if (verdict === "unclear") run.wait(describeUnclear(batch));
      current = run.show(current, { lookedAt: run.machine.wall() });
      continue;
    }
    const reason = run.isCancelled() ? null : whyPostponed(batch);
    if (reason !== null) {
      await run.waitAfter(reason, postponed);
      return "postponed";
    }
    onOver();
    await endPart(current, batch.isUnknown ? { ...batch, status: "completed" } : batch, await reader(), run);
    return "fetched";
  }
}

async function endPart(part: RemotePart, batch: RemoteBatch, reader: PartReader, run: PartRun): Promise<void> {
  if (batch.status === "failed" && batch.rawStatus !== goneBatch.rawStatus) {
    run.setNotice("refused", describeRefusal(batch.errors));
  }
  if (batch.rawStatus !== goneBatch.rawStatus) {
    await collectResults(part, batch, reader, run);
    return;
  }
  await reader.recordErrors();
  await reader.recordOpen(explainLost("results_gone", "The service no longer has the results of this batch."));
  run.change(part, { isFetched: true, awaited: null });
}

/** The lines of a part are read from its file when they are needed. */
function createReaderOnce(part: RemotePart, run: PartRun): () => Promise<PartReader> {
  let reader: Promise<PartReader> | null = null;
  return () => {
    reader ??= createPartReader(part, run);
    return reader;
  };
}

/** The longest that a batch in a state that isn't known goes without its results being read, in milliseconds. */
const readDelays = { first: 60_000, longest: 60 * 60_000 };
/** A batch in a state that isn't known, in which nothing has moved for so many milliseconds, is its user's to judge. */
const longestUnmoved = 24 * 60 * 60_000;

type StateVerdict = "running" | "over" | "unclear";

/**
 * Judges batches whose state is no word that is known: one is over when each line has a result, or the service counts all lines as
 * done. Its results are read only when it names a file. After its window, or a day without a change, only the user knows.
 */
function createStateJudge(reader: () => Promise<PartReader>, run: PartRun) {
  const { machine } = run;
  /** How often the user had stopped waits when it was first asked. */
  let stopsBefore: number | null = null;
  let lastRead: { readonly about: unknown; readonly at: number } | null = null;
  let reads = 0;

  async function isWhole(batch: RemoteBatch): Promise<boolean> {
    const { outputFileId, errorFileId, rawStatus, counts } = batch;
    if (outputFileId === null && errorFileId === null) return false;
    const about = { outputFileId, errorFileId, rawStatus, counts };
    const isSame = isDeepStrictEqual(about, lastRead?.about);
    if (!isSame) reads = 0;
    if (isSame && machine.monotonic() - (lastRead?.at ?? 0) < backOff(reads, readDelays)) return false;
    lastRead = { about, at: machine.monotonic() };
    reads += 1;
    const open = await reader();
    await open.read(batch);
    return open.countOpen() === 0;
  }

  return async (batch: RemoteBatch, part: RemotePart): Promise<StateVerdict> => {
    const { counts } = batch;
    if (counts !== null && counts.total > 0 && counts.done >= counts.total) return "over";
    if (await isWhole(batch)) return "over";
    const now = machine.wall();
    const isLate = now - (part.sentAt ?? now) >= readWindow(run.traits.window);
    const isStill = now - (part.movedAt ?? part.sentAt ?? now) >= longestUnmoved;
    if (!isLate && !isStill) return "running";
    stopsBefore ??= run.stops;
    return run.stops > stopsBefore || run.isCancelled() ? "over" : "unclear";
  };
}

/** A window such as `24h` or `7d`, in milliseconds; a day where it is no such text. */
function readWindow(window: string): number {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(window) ?? [];
  const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
  return count === undefined || unit === undefined ? longestUnmoved : Number(count) * (units[unit] ?? 0);
}

function describeUnclear({ rawStatus }: RemoteBatch): string {
  return `The service calls the state of this batch “${rawStatus}”, which is not known here, and nothing shows whether it has ended. Look there, then stop waiting or cancel.`;
}

/** Records the capabilities of the service that the batch shows. */
function learnFrom(
  { status, isUnknown, counts, outputFileId, createdAt, endedAt }: RemoteBatch,
  { learn, traits }: PartRun,
): void {
  const done = counts === null ? 0 : counts.completed + counts.failed;
  if (!finalStatuses.has(status) && !isUnknown) {
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

async function pollOnce(id: string, { awaited }: RemotePart, run: PartRun): Promise<RemoteBatch> {
  for (;;) {
    try {
      const batch = await run.poller.next(id, run.signal);
      // What it waits for is shown until that has come.
      if (awaited === null) run.wait(null);
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

/**
 * Why a batch that failed as a whole can be sent again later: the account was at a limit, and no request was at fault. What the
 * service counts as completed is paid, also where it names no file yet.
 */
function whyPostponed({ status, errors, outputFileId, errorFileId, counts }: RemoteBatch): ConnectionError | null {
  if (status !== "failed") return null;
  if (outputFileId !== null || errorFileId !== null || (counts?.completed ?? 0) > 0) return null;
  return describePostponed(errors, "The service");
}

/** Fetches the answers so far, before a cancel at a service that drops them with it; best effort. */
async function fetchPartial(part: RemotePart, reader: PartReader, run: PartRun): Promise<void> {
  const batch = await pollOnce(part.batchId ?? "", part, run);
  if (finalStatuses.has(batch.status) || batch.outputFileId === null) return;
  await reader.read(batch);
}

const goneBatch: Omit<RemoteBatch, "id"> = {
  status: "failed",
  isUnknown: false,
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
