import { backOff, finalStatuses, type Problem, type StickyStatus } from "#contract";
import type { CreateChoice, Engine, Machine, TrackedWork } from "#main/base";
import { ServiceError, toPriceRecord } from "#main/base";
import { createRequestReader, type LineIndex, type RequestReader, sumTokens } from "#main/results";
import type { BatchRecord } from "#main/storage";
import { type AnswerFiles, openAnswerFiles } from "./answer-files.ts";
import { type AskerDeps, createLineAsker, type OpenedBatch } from "./ask-lines.ts";
import { checkForConnection, findLines, validateInputFile } from "./check-input.ts";
import { openHeldLines } from "./held-lines.ts";
import { restoreFiles } from "./result-file.ts";
import { trackBatch } from "./running-batch.ts";
import type { Scheduler } from "./scheduler.ts";
import { skipReasons, skipWaiting } from "./skip-lines.ts";
import { nextStatus, withAnswers } from "./state.ts";

/** The longest that a batch is cancelling (docs/spec/service-interface.md, Limits), in milliseconds. */
const longestCancel = 10 * 60_000;
/** The longest that closing waits for a disk that does not take the last answers, in milliseconds. */
const longestLastWrite = 1_000;
const retryDelays = { first: 1_000, longest: 60_000 };
/** The same while the disk refuses, so that a batch is tried again soon after the disk works. */
const diskDelays = { first: 1_000, longest: 4_000 };

/** Takes one batch from the state that it is in to its end. */
export interface BatchLifecycle {
  /** Resolves when the batch has reached a final status, or when it was closed. */
  readonly done: Promise<void>;
  /** True from the end of the completion window on, while what never ran is recorded. */
  readonly expiring: boolean;
  /**
   * Cancels the batch: from now on nothing is sent, and what is in flight is finished. Resolves when that is recorded, however
   * long the disk refuses.
   */
  cancel(by?: "user" | "deadline"): Promise<void>;
  /** Cancels it at that time, in Unix milliseconds; null for never. */
  setDeadline(deadline: number | null): void;
  /** Continues an unclear batch: lines without an answer here are asked. */
  resume(): void;
  /** Called when someone looks at it. */
  watch(): void;
  /** The most calls that were in flight since it was last called; 0 where none of its own are. */
  takePeak(): number;
  /** Takes what its service has handed out. Throws a ServiceError where it waits for no results. */
  stopWaiting(): void;
  /** Settles a create at a service whose outcome is not known. Rejects with a ServiceError where there is none. */
  settleCreate(choice: CreateChoice): Promise<void>;
  /** Stops where it is, to continue after a restart. What is in flight is awaited for `grace` milliseconds, or until `cut`. */
  close(grace: number, cut?: AbortSignal): Promise<void>;
}

export type LifecycleDeps = Omit<AskerDeps, "schedulerOf" | "untilResumed" | "closing">;

/** `onChange` is called after each change of the batch's record. */
export function startLifecycle(
  parts: LifecycleDeps,
  schedulerOf: (engine: Engine) => Scheduler,
  batchId: string,
  onChange: (batch: BatchRecord) => void,
): BatchLifecycle {
  const { store, indexes, faults, clock, machine, logger } = parts;
  const { disk } = store;
  const batch = trackBatch(parts, batchId, onChange);
  const { current, change, update, wait, isExpiring, hasOpenRemoteParts } = batch;
  const checking = new AbortController();
  const closing = new AbortController();
  let openAnswers: AnswerFiles | null = null;
  let cancelLimit = () => {};
  /** From the moment that ends it to its end: no time passes on the clock. */
  let ending: TrackedWork | null = null;
  /** While it is written down where its requests are. */
  let saving: Promise<void> = Promise.resolve();
  /** Ends the wait for a decision of its user, or for its connection. */
  let resume = () => {};
  /** A cancel that is on its way to the disk: the batch goes no way that it would not go after it. */
  let cancelled: Promise<void> | null = null;

  /** Carries on until the end. What fails on the way (a full disk, say) is tried again from what is on disk by then. */
  async function runToEnd(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await carryOn();
        return;
      } catch (error) {
        indexes.forget(batchId);
        if (closing.signal.aborted) return;
        const failure = disk.report(error);
        if (failure === null) {
          logger.error("A batch can't go on; trying again", { batch: batchId, error: String(error) });
        }
        batch.meet(failure?.message ?? describeFailure(error));
        const retrying = clock.track(`another attempt at ${batchId}`);
        const delays = failure === null ? retryDelays : diskDelays;
        await machine.sleep(backOff(attempt, delays), closing.signal).catch(() => {});
        retrying.end();
        if (closing.signal.aborted) return;
      }
    }
  }

  async function carryOn(): Promise<void> {
    await untilDecided();
    if (current().status === "validating") await check();
    await cancelled;
    if (closing.signal.aborted || finalStatuses.has(current().status)) return;
    if (current().counts.total === 0) await countLines();
    await answerLines();
  }

  /** What was done for it may be lost: before its user has decided nothing is sent that may have been paid already. */
  async function untilDecided(): Promise<void> {
    while (current().unclear && !closing.signal.aborted) {
      wait(
        "The data folder is damaged where it had the last changes of this batch: lines without an answer here may have been asked and paid.",
      );
      await untilResumed();
    }
  }

  function untilResumed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    resume = resolve;
    return promise;
  }

  const asker = createLineAsker({ ...parts, schedulerOf, untilResumed, closing: closing.signal }, batch);

  const perform = <T>(phase: string, task: () => Promise<T>) => clock.perform(`the ${phase} of ${batchId}`, task);

  /** It ended before it was checked: what never ran is recorded all the same. */
  async function countLines(): Promise<void> {
    const requests = await perform("end", () => findLines(store.pathOf(current().inputFileId)));
    const index = indexes.create(batchId, requests);
    update({ counts: { total: index.total, completed: 0, failed: 0 } }, true);
  }

  /** Waits while the batch is to be stuck in the status; continues at once when the signal is aborted. */
  function mayLeave(status: StickyStatus, signal: AbortSignal): Promise<void> {
    return faults.released(status, signal).catch(() => {});
  }

  async function endCancelled(): Promise<void> {
    // Time passes while it is stuck.
    ending?.end();
    cancelLimit();
    await mayLeave("cancelling", closing.signal);
    if (!closing.signal.aborted) change({ type: "stopped" });
  }

  async function check(): Promise<void> {
    const input = await clock.perform(`the validation of ${batchId}`, (progress) =>
      validateInputFile(parts, current(), checking.signal, progress),
    );
    await mayLeave("validating", checking.signal);
    const isOver = () => current().status !== "validating" || isExpiring();
    if (isOver() || input === null) return;
    if (input.problems === null && current().outcome === "failed") {
      change({ type: "rejected", problems: [askedToFail] });
      return;
    }
    if (input.problems !== null) {
      markFaulty(current().inputFileId, input.problems);
      change({ type: "rejected", problems: input.problems });
      return;
    }
    const index = indexes.create(batchId, input.requests);
    const problems = await checkForConnection(parts, current(), { index, models: input.models }, checking.signal);
    if (isOver()) return;
    if (problems.length > 0) {
      indexes.forget(batchId);
      change({ type: "rejected", problems });
      return;
    }
    const prices = await keepPrices(input.models);
    if (isOver()) return;
    change({ type: "checked", total: index.total, models: input.models, prices });
    saving = indexes.save(current());
  }

  /** Before its first request is sent its prices are stored: its cost follows them, whatever becomes of the connection. */
  async function keepPrices(models: readonly string[]): Promise<string | null> {
    const { connection, direct: isDirect, times } = current();
    if (connection === null) return null;
    const asked = { models, isDirect, day: new Date(times.created) };
    const found = await parts.connectionRuntime?.connections.describe(connection, asked);
    return await store.prices.keep(found?.prices ?? toPriceRecord([]));
  }

  /** Its content is at fault, not the disk that it could not be read from. */
  function markFaulty(fileId: string, problems: readonly Problem[]): void {
    if (problems.some(({ code }) => code === "file_unreadable")) return;
    const file = store.files.get(fileId);
    if (file !== undefined && !file.faulty) store.files.put({ ...file, faulty: true });
  }

  async function answerLines(): Promise<void> {
    const opened = await perform("start", openFiles);
    const { index, reader, answers, held } = opened;
    batch.meet(null);
    openAnswers = answers;
    try {
      // One that was finalizing when the power went may lack its last answers.
      const lacksAnswers = current().status === "finalizing" && !index.isWhole();
      const isRunning = current().status === "in_progress" || lacksAnswers;
      if (isRunning || hasOpenRemoteParts()) {
        await asker.ask(opened);
        cancelLimit();
      }
      await cancelled;
      await end(index, reader, answers);
    } finally {
      openAnswers = null;
      await Promise.all([answers.abandon(), held.close()]);
    }
  }

  async function openFiles(): Promise<OpenedBatch> {
    await restoreFiles(parts, current());
    const opened = await indexes.open(current());
    const { index } = opened;
    const reader = createRequestReader(store.pathOf(current().inputFileId), index);
    const answers = await openAnswerFiles(parts, batchId, opened, (counts) => {
      store.batches.setWithoutJournal(withAnswers(current(), counts));
      if (asker.run !== null && "wake" in asker.run) asker.run.wake();
      onChange(current());
    });
    const held = await openHeldLines(store.heldOf(batchId), index, store.durability);
    return { index, reader, answers, held, isScanned: opened.isScanned };
  }

  /** Its key or address is another one now: what is in flight is finished, the rest goes to the new one. */
  const forgetConnection = parts.connectionRuntime?.connections.subscribe((changed) => {
    if (changed !== current().connection) return;
    asker.restart();
    resume();
  });

  async function end(index: LineIndex, reader: RequestReader, answers: AnswerFiles): Promise<void> {
    // After a restart it is fetched what a service elsewhere has answered by then.
    if (closing.signal.aborted && hasOpenRemoteParts()) return;
    const finish = async () => {
      await answers.finish();
      update({ usage: sumTokens(index.columns), lineTries: null }, false);
    };
    await clock.perform(`the closing of ${batchId}`, async (progress) => {
      if (current().status === "cancelling") {
        await skipWaiting(index, reader, answers, skipReasons.cancelled, progress);
        await finish();
      } else if (index.isWhole() && !isExpiring()) {
        if (current().status === "in_progress") change({ type: "all_answered" });
        await finish();
        change({ type: "finalized" });
      } else if (isExpiring()) {
        await skipWaiting(index, reader, answers, skipReasons.expired, progress);
        await finish();
        change({ type: "window_closed" });
      } else if (!closing.signal.aborted) {
        throw new Error("Some lines have no answer.");
      }
    });
    if (current().status === "cancelling") await endCancelled();
  }

  /** From here on no time passes on the clock until the batch has ended. */
  function startEnding(): void {
    ending ??= clock.track(`the end of ${batchId}`, { stopsTime: true });
  }

  function expire(): void {
    const { status } = current();
    if (status !== "validating" && status !== "in_progress") return;
    startEnding();
    update({ endedBy: "expiry" }, false);
    checking.abort();
    asker.run?.abort(windowEnded);
  }

  let cancelExpiry = () => {};
  // The completion window of a batch elsewhere is the connection's.
  if (current().connection === null) {
    // Made when the clock was ahead of now: the window begins anew.
    const { created, expires } = current().times;
    const end = Math.min(expires, clock.now() + (expires - created));
    cancelExpiry = clock.at(end, expire);
    if (end <= clock.now()) expire();
  }
  let cancelDeadline = () => {};
  function watchDeadline(): void {
    cancelDeadline();
    const { deadline } = current();
    if (deadline !== null) cancelDeadline = clock.at(deadline, meetDeadline);
  }
  function meetDeadline(): void {
    if (nextStatus(current().status, "cancel_requested") === null) return;
    lifecycle.cancel("deadline").catch((error: unknown) => {
      logger.error("A batch can't be cancelled at its deadline", { batch: batchId, error: String(error) });
    });
  }

  const done = runToEnd().finally(async () => {
    await saving;
    cancelExpiry();
    cancelDeadline();
    cancelLimit();
    ending?.end();
    forgetConnection?.();
    batch.close();
  });

  const lifecycle: BatchLifecycle = {
    done,
    get expiring() {
      return isExpiring();
    },
    cancel(by = "user") {
      checking.abort();
      asker.cancel();
      cancelled ??= disk.retry(
        () => {
          if (nextStatus(current().status, "cancel_requested") === null) return;
          if (current().unclear) update({ unclear: false }, true);
          change({ type: "cancel_requested", by });
          resume();
          // What a service elsewhere cancels ends when it reports the end: it may have answers until then.
          cancelLimit = clock.at((current().times.cancelling ?? 0) + longestCancel, () => {
            if (hasOpenRemoteParts()) return;
            startEnding();
            asker.run?.abort("The batch was cancelled.");
          });
        },
        { signal: closing.signal, usesReserve: true },
      );
      return cancelled;
    },
    setDeadline(deadline) {
      store.batches.put({ ...current(), deadline });
      watchDeadline();
      onChange(current());
    },
    resume() {
      update({ unclear: false }, true);
      wait(null);
      resume();
    },
    watch() {
      if (asker.run !== null && "watch" in asker.run) asker.run.watch();
    },
    takePeak: () => (asker.run !== null && "takePeak" in asker.run ? asker.run.takePeak() : 0),
    stopWaiting() {
      const { run } = asker;
      if (run === null || !("stopWaiting" in run)) {
        throw new ServiceError("nothing_to_settle", "This batch waits for no results.");
      }
      run.stopWaiting();
    },
    async settleCreate(choice) {
      if (current().remote?.some(({ candidates }) => candidates !== null)) await Promise.race([asker.started, done]);
      const { run } = asker;
      if (run !== null && "settleCreate" in run) await run.settleCreate(choice);
      else throw new ServiceError("nothing_to_settle", "It is known where this batch is.");
    },
    async close(grace, cut) {
      closing.abort();
      checking.abort();
      asker.run?.suspend();
      resume();
      await waitFor(done, grace, machine, cut);
      asker.run?.abort("The service is closing.");
      await waitFor(done, longestLastWrite, machine);
      await openAnswers?.abandon();
      await done;
      // The counts were in memory only. In the journal, they are there after a restart before the files have been read.
      if (finalStatuses.has(current().status)) return;
      try {
        store.batches.put(current());
      } catch (error) {
        logger.warn("The counts of a batch can't be recorded", { batch: batchId, error: String(error) });
      }
    },
  };
  watchDeadline();
  return lifecycle;
}

/** A waiting batch shows a reason for every failure, also for an unexpected one. */
function describeFailure(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\.?\s*$/, ".");
  return `The batch can't continue: ${message} Sheaf tries again by itself.`;
}

const askedToFail: Problem = {
  code: "injected_fault",
  message: "The batch fails, as its header x-sheaf-outcome asks for.",
  param: null,
  line: null,
  severity: "error",
};

const windowEnded = "The completion window of the batch has ended.";

/**
 * Resolves with `done`, with the signal, or after so many milliseconds of the machine's time. Not of the clock's: a process that is to end
 * ends, whatever time its clock shows.
 */
async function waitFor(done: Promise<void>, milliseconds: number, machine: Machine, cut?: AbortSignal): Promise<void> {
  if (cut?.aborted) return;
  const late = Promise.withResolvers<void>();
  const giveUp = () => late.resolve();
  const cancel = machine.after(milliseconds, giveUp);
  cut?.addEventListener("abort", giveUp, { once: true });
  await Promise.race([done, late.promise]);
  cut?.removeEventListener("abort", giveUp);
  cancel();
}
