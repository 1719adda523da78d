import { setTimeout as sleepReal } from "node:timers/promises";
import { finalStatuses, type Problem, type StickyStatus } from "#contract";
import type { FileCheck } from "../files/index.ts";
import { createLineIndex, type LineIndex } from "../results/index.ts";
import type { BatchRecord } from "../types.ts";
import { type AnswerFiles, openAnswerFiles } from "./answer-files.ts";
import type { BatchParts } from "./parts.ts";
import { weightOf } from "./priority.ts";
import { openRequestReader, type RequestReader } from "./request-reader.ts";
import { type Run, startRun } from "./run.ts";
import type { Scheduler } from "./scheduler.ts";
import { skipReasons, skipWaiting } from "./skip-waiting.ts";
import { applyEvent, type BatchEvent } from "./state.ts";

/** The longest that a batch is cancelling (service-interface.md, Limits), in milliseconds. */
const longestCancel = 10 * 60_000;
const firstRetryDelay = 1_000;
const longestRetryDelay = 60_000;

/** What takes one batch from the state that it is in to its end. */
export interface Drive {
  /** Resolves when the batch has reached a final status, or when it was closed. */
  readonly done: Promise<void>;
  /** True from the end of the completion window on, while what never ran is put down. */
  readonly expiring: boolean;
  /** Cancels the batch: what is in flight is finished. */
  cancel(): void;
  /** Stops where it is, to go on after a restart. Lines in flight are awaited for `grace` milliseconds. */
  close(grace: number): Promise<void>;
}

/** `onChange` is called after each change of the batch's record. */
export function startDrive(
  parts: BatchParts,
  scheduler: Scheduler,
  batchId: string,
  onChange: (batch: BatchRecord) => void,
): Drive {
  const { store, checker, indexes, faults, clock, logger } = parts;
  const checking = new AbortController();
  const closing = new AbortController();
  let expiring = false;
  let run: Run | null = null;
  let openAnswers: AnswerFiles | null = null;
  let forgetCancel = () => {};

  function current(): BatchRecord {
    const batch = store.batches.get(batchId);
    if (batch === undefined) throw new Error(`Batch ${batchId} is gone.`);
    return batch;
  }

  function change(event: BatchEvent): void {
    const next = applyEvent(current(), event, clock.now());
    store.batches.put(next);
    logger.info("A batch changed", { batch: batchId, status: next.status });
    onChange(next);
  }

  /** Goes on until the end. What fails on the way (a full disk, say) is tried again from what is on disk by then. */
  async function keepGoing(): Promise<void> {
    for (let delay = firstRetryDelay; ; delay = Math.min(delay * 2, longestRetryDelay)) {
      try {
        await carryOn();
        return;
      } catch (error) {
        indexes.forget(batchId);
        if (closing.signal.aborted) return;
        logger.error("A batch can't go on; trying again", { batch: batchId, error: String(error) });
        await clock.sleep(delay, closing.signal).catch(() => {});
        if (closing.signal.aborted) return;
      }
    }
  }

  async function carryOn(): Promise<void> {
    if (current().status === "validating") await check();
    if (closing.signal.aborted || finalStatuses.has(current().status)) return;
    if (current().counts.total > 0) await answerLines();
    else await endCancelled();
  }

  /** Waits while the batch is to be stuck in the status; goes on at once when the signal is aborted. */
  function mayLeave(status: StickyStatus, signal: AbortSignal): Promise<void> {
    return faults.released(status, signal).catch(() => {});
  }

  async function endCancelled(): Promise<void> {
    await mayLeave("cancelling", closing.signal);
    if (!closing.signal.aborted) change({ type: "stopped" });
  }

  async function check(): Promise<void> {
    const result = await checkInput();
    await mayLeave("validating", checking.signal);
    if (expiring) change({ type: "window_closed" });
    if (current().status !== "validating" || result === null) return;
    if (Array.isArray(result)) {
      change({ type: "rejected", problems: result });
      return;
    }
    const { report, lineStarts } = result;
    if (report.errorCount > 0) {
      change({ type: "rejected", problems: report.problems });
      return;
    }
    indexes.set(batchId, createLineIndex(lineStarts));
    change({ type: "checked", total: report.requests, models: report.models });
  }

  /** What the check found; the problem that kept it from being made; null when it was stopped. */
  async function checkInput(): Promise<FileCheck | Problem[] | null> {
    try {
      return await checker.check(store.pathOf(current().inputFileId), { signal: checking.signal });
    } catch (error) {
      if (checking.signal.aborted) return null;
      logger.error("The input of a batch can't be checked", { batch: batchId, error: String(error) });
      return [unreadable];
    }
  }

  async function answerLines(): Promise<void> {
    const index = await indexes.get(current());
    const reader = await openRequestReader(store.pathOf(current().inputFileId), index);
    try {
      await answerInto(index, reader);
    } finally {
      await reader.close();
    }
  }

  async function answerInto(index: LineIndex, reader: RequestReader): Promise<void> {
    const answers = await openAnswerFiles(parts, batchId, index, () => {
      run?.wake();
      onChange(current());
    });
    openAnswers = answers;
    try {
      if (current().status === "in_progress") await runLines(index, reader, answers);
      await end(index, reader, answers);
    } finally {
      openAnswers = null;
      await answers.abandon();
    }
  }

  async function runLines(index: LineIndex, reader: RequestReader, answers: AnswerFiles): Promise<void> {
    if (expiring || closing.signal.aborted) return;
    const { metadata } = current();
    const weight = weightOf({ metadata }, parts.tier);
    run = startRun({ ...parts, scheduler, batchId, metadata, weight, index, reader, answers });
    await run.ended;
    if (run.cutShort && current().status === "in_progress") expiring = true;
    run = null;
    forgetCancel();
  }

  async function end(index: LineIndex, reader: RequestReader, answers: AnswerFiles): Promise<void> {
    if (current().status === "cancelling") {
      await skipWaiting(index, reader, answers, skipReasons.cancelled);
      await answers.finish();
      await endCancelled();
    } else if (index.isWhole()) {
      if (current().status === "in_progress") change({ type: "all_answered" });
      await answers.finish();
      change({ type: "finalized" });
    } else if (expiring) {
      await skipWaiting(index, reader, answers, skipReasons.expired);
      await answers.finish();
      change({ type: "window_closed" });
    } else if (!closing.signal.aborted) {
      throw new Error("Some lines have no answer.");
    }
  }

  function expire(): void {
    const { status } = current();
    if (status !== "validating" && status !== "in_progress") return;
    expiring = true;
    checking.abort();
    run?.abort(windowEnded);
  }

  const timeLeft = current().times.expires - clock.now();
  const forgetExpiry = clock.after(timeLeft, expire);
  if (timeLeft <= 0) expire();
  const done = keepGoing().finally(() => {
    forgetExpiry();
    forgetCancel();
  });

  return {
    done,
    get expiring() {
      return expiring;
    },
    cancel() {
      change({ type: "cancel_requested" });
      checking.abort();
      run?.stop();
      forgetCancel = clock.after(longestCancel, () => run?.abort("The batch was cancelled."));
    },
    async close(grace) {
      closing.abort();
      checking.abort();
      run?.stop();
      const inTime = new AbortController();
      // Time of the machine, not of the clock: a process that is to end ends, whatever time its clock shows.
      const late = sleepReal(grace, undefined, { signal: inTime.signal }).catch(() => {});
      await Promise.race([done, late]);
      inTime.abort();
      run?.abort("The service is closing.");
      await openAnswers?.abandon();
      await done;
      // The counts were held in memory only: with them in the journal, a restart shows them before it has read the files.
      if (!finalStatuses.has(current().status)) store.batches.put(current());
    },
  };
}

const windowEnded = "The completion window of the batch has ended.";

const unreadable: Problem = {
  code: "file_unreadable",
  message: "The file can't be read from disk. Upload it again.",
  param: null,
  line: null,
  severity: "error",
};
