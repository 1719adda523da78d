import { backOff, finalStatuses, type Problem, type StickyStatus } from "#contract";
import type { CreateChoice, LineTarget, RemoteRun, RequestIdentity } from "../connections.ts";
import type { Faults } from "../engines/index.ts";
import { ServiceError } from "../errors.ts";
import type { DiskFailure } from "../io/index.ts";
import type { Engine, Machine, TrackedWork } from "../ports.ts";
import { createRequestReader, type LineIndex, type RequestReader, sumTokens } from "../results/index.ts";
import type { BatchRecord } from "../store/index.ts";
import { type AnswerFiles, openAnswerFiles } from "./answer-files.ts";
import { checkForConnection, findLines, validateInputFile } from "./check-input.ts";
import type { KnownAnswers } from "./known-answers.ts";
import type { BatchParts } from "./parts.ts";
import { createRemoteJob } from "./remote-job.ts";
import { restoreResultFiles } from "./result-file.ts";
import { copyIdentical, findIdentical, type ReuseParts, reuseAnswers } from "./reuse-answers.ts";
import { type LineRun, type RunParts, startLineRun } from "./run-lines.ts";
import { type Scheduler, weightOf } from "./scheduler.ts";
import { skipReasons, skipWaiting } from "./skip-lines.ts";
import { applyEvent, type BatchEvent, nextStatus, withAnswers } from "./state.ts";

/** Whether a service elsewhere ended the batch for this reason before all lines had run. */
function hasSkipped({ columns }: LineIndex, { code }: { readonly code: string }): boolean {
  return columns.errorCodes.names.includes(code);
}

/** The longest that a batch is cancelling (docs/spec/service-interface.md, Limits), in milliseconds. */
const longestCancel = 10 * 60_000;
/** The longest that closing waits for a disk that does not take the last answers, in milliseconds. */
const longestLastWrite = 1_000;
const retryDelays = { first: 1_000, longest: 60_000 };
/** The same while the disk refuses, so that what it held up goes on soon once it works. */
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
  /** Settles a create at a service whose outcome is not known. Rejects with a ServiceError where there is none. */
  settleCreate(choice: CreateChoice): Promise<void>;
  /** Stops where it is, to continue after a restart. What is in flight is awaited for `grace` milliseconds, or until `cut`. */
  close(grace: number, cut?: AbortSignal): Promise<void>;
}

export interface LifecycleParts extends Omit<BatchParts, "faults"> {
  /** Those of the batch's scope. */
  readonly faults: Faults;
  readonly known: KnownAnswers;
}

/** `onChange` is called after each change of the batch's record. */
export function startLifecycle(
  parts: LifecycleParts,
  schedulerOf: (engine: Engine) => Scheduler,
  batchId: string,
  onChange: (batch: BatchRecord) => void,
): BatchLifecycle {
  const { store, indexes, faults, clock, machine, logger } = parts;
  const { disk } = store;
  const checking = new AbortController();
  const closing = new AbortController();
  let run: LineRun | RemoteRun | null = null;
  /** Resolved once there was a run. */
  const started = Promise.withResolvers<void>();
  let openAnswers: AnswerFiles | null = null;
  let cancelLimit = () => {};
  /** From the moment that ends it to its end: no time passes on the clock. */
  let ending: TrackedWork | null = null;
  /** While it is written down where its requests are. */
  let saving: Promise<void> = Promise.resolve();
  /** The run stops to begin again, because its connection was changed. */
  let isRestarting = false;
  /** Ends the wait for a connection. */
  let resume = () => {};
  /** Why its run does not move. */
  let reason: string | null = null;
  /** What the last attempt met of the disk, until the batch gets further. */
  let failure: DiskFailure | null = null;
  /** A cancel that is on its way to the disk: the batch goes no way that it would not go after it. */
  let cancelled: Promise<void> | null = null;

  function current(): BatchRecord {
    const batch = store.batches.get(batchId);
    if (batch === undefined) throw new Error(`Batch ${batchId} is gone.`);
    return batch;
  }

  function change(event: BatchEvent): void {
    const changed = applyEvent(current(), event, clock.now());
    const next = finalStatuses.has(changed.status) ? { ...changed, waiting: null } : changed;
    store.batches.put(next);
    failure = null;
    logger.info("A batch changed", { batch: batchId, status: next.status });
    onChange(next);
  }

  /** Carries on until the end. What fails on the way (a full disk, say) is tried again from what is on disk by then. */
  async function runToEnd(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await carryOn();
        return;
      } catch (error) {
        indexes.forget(batchId);
        if (closing.signal.aborted) return;
        logger.error("A batch can't go on; trying again", { batch: batchId, error: String(error) });
        failure = disk.report(error);
        showWaiting();
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
      const decided = Promise.withResolvers<void>();
      resume = decided.resolve;
      await decided.promise;
    }
  }

  const perform = <T>(phase: string, task: () => Promise<T>) => clock.perform(`the ${phase} of ${batchId}`, task);

  /** It ended before it was checked: what never ran is recorded all the same. */
  async function countLines(): Promise<void> {
    const requests = await perform("end", () => findLines(store.pathOf(current().inputFileId)));
    const index = indexes.create(batchId, requests);
    update({ counts: { total: index.total, completed: 0, failed: 0 } }, true);
  }

  /** The time has come that its window ends; it stays so until that is recorded. */
  const isExpiring = () => current().endedBy === "expiry" && !finalStatuses.has(current().status);

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
    const problems = await checkForConnection(parts, current(), index, checking.signal);
    if (isOver()) return;
    if (problems.length > 0) {
      indexes.forget(batchId);
      change({ type: "rejected", problems });
      return;
    }
    change({ type: "checked", total: index.total, models: input.models });
    saving = indexes.save(current());
  }

  /** Its content is at fault, not the disk that it could not be read from. */
  function markFaulty(fileId: string, problems: readonly Problem[]): void {
    if (problems.some(({ code }) => code === "file_unreadable")) return;
    const file = store.files.get(fileId);
    if (file !== undefined && !file.faulty) store.files.put({ ...file, faulty: true });
  }

  async function answerLines(): Promise<void> {
    const { index, reader, answers, isScanned } = await perform("start", openFiles);
    failure = null;
    showWaiting();
    openAnswers = answers;
    try {
      // One that was finalizing when the power went may lack its last answers.
      const lacksAnswers = current().status === "finalizing" && !index.isWhole();
      const isRunning = current().status === "in_progress" || lacksAnswers;
      if (isRunning || hasOpenRemoteParts()) await askLines(index, reader, answers, isScanned);
      await cancelled;
      await end(index, reader, answers);
    } finally {
      openAnswers = null;
      await answers.abandon();
    }
  }

  async function openFiles() {
    await restoreResultFiles(parts, current());
    const opened = await indexes.open(current());
    const { index } = opened;
    const reader = createRequestReader(store.pathOf(current().inputFileId), index);
    const answers = await openAnswerFiles(parts, batchId, opened, (completed, failed, reused) => {
      store.batches.setWithoutJournal(withAnswers(current(), completed, failed, reused));
      if (run !== null && "wake" in run) run.wake();
      onChange(current());
    });
    return { index, reader, answers, isScanned: opened.isScanned };
  }

  /** Whether a service elsewhere has lines of it, which it may have answered: also those of a cancelled batch are fetched. */
  function hasOpenRemoteParts(): boolean {
    return current().remote?.some(({ isFetched, sentAt }) => !isFetched && sentAt !== null) ?? false;
  }

  /** Asks what is not answered yet: what other batches have, and what is asked once for several lines, is taken over. */
  async function askLines(
    index: LineIndex,
    reader: RequestReader,
    answers: AnswerFiles,
    isScanned: boolean,
  ): Promise<void> {
    const reuse = await prepareReuse(index, answers);
    const identical = reuse !== null && current().onceIdentical ? await findIdentical(reuse) : noLines;
    if (reuse !== null && current().reuse && current().reused === null) {
      const reused = await reuseAnswers(reuse, parts.known, identical);
      if (closing.signal.aborted) return;
      update({ reused }, true);
    }
    // What was sent of it already is fetched all the same.
    const isSent = current().remote?.some(({ sentAt }) => sentAt !== null) ?? false;
    // A line that is sent by itself is checked then, unless what it is checked by was just made from the file.
    const isCheckedWhole = isScanned || current().connection !== null;
    if (!isSent && isCheckedWhole && !(await parts.files.isSound(current().inputFileId))) {
      return await skipWaiting(index, reader, answers, skipReasons.damaged, () => {});
    }
    const { total, request, isSoundRequest } = index;
    const isAnswered = (line: number) => index.isAnswered(line) || identical.has(line);
    await runLines({ total, request, isSoundRequest, isAnswered }, reader, answers);
    if (current().status === "in_progress" && current().remote !== null && !closing.signal.aborted) {
      if (hasSkipped(index, skipReasons.expired)) endWindow();
      else if (hasSkipped(index, skipReasons.cancelled)) change({ type: "cancel_requested", by: "user" });
    }
    if (reuse === null || identical.size === 0 || closing.signal.aborted) return;
    update({ copied: await copyIdentical(reuse, identical) }, true);
  }

  async function prepareReuse(index: LineIndex, answers: AnswerFiles): Promise<ReuseParts | null> {
    const { reuse, onceIdentical } = current();
    const identity = reuse || onceIdentical ? await recordAnswerer() : null;
    const isOver = () => closing.signal.aborted || current().status !== "in_progress";
    return identity && { ...parts, current, index, answers, identity, isOver };
  }

  /** Notes who answers, so that the answers can be found again. Those of several are not distinguished. */
  async function recordAnswerer(): Promise<RequestIdentity | null> {
    const { connection, endpoint, answeredAs, counts, remote } = current();
    const identity = connection && (await parts.connectionRuntime?.connections.identify(connection, endpoint));
    if (!identity) return null;
    const isFresh = counts.completed === 0 && !remote?.some(({ sentAt }) => sentAt !== null);
    const next = isFresh || answeredAs === identity.answeredAs ? identity.answeredAs : null;
    if (next !== answeredAs) update({ answeredAs: next }, true);
    return identity;
  }

  async function runLines(index: RunParts["index"], reader: RequestReader, answers: AnswerFiles): Promise<void> {
    if (isExpiring() || closing.signal.aborted) return;
    // What is at a service elsewhere is followed to its end all the same.
    if (current().remote === null && isAllAnswered(index)) return;
    const { endpoint, metadata, scope, outcome, connection, direct } = current();
    const weight = weightOf({ metadata }, parts.tier());
    const common = {
      ...parts,
      batchId,
      endpoint,
      metadata,
      scope,
      weight,
      stopAfter: outcome === null ? null : Math.floor(index.total / 2),
      index,
      reader,
      answers,
      onWaiting: wait,
    };
    do {
      isRestarting = false;
      const target =
        connection === null ? { kind: "engine" as const, engine: parts.engine } : await openTarget(connection, direct);
      if (target === null) return;
      await recordAnswerer();
      // Who closed or expired it meanwhile found no run to stop.
      if (isExpiring() || closing.signal.aborted) return;
      wait(null);
      if (target.kind === "remote") run = target.driver.run(createRemoteJob(common, current, update));
      else run = startLineRun({ ...common, engine: target.engine, scheduler: schedulerOf(target.engine) });
      started.resolve();
      if (current().status === "cancelling") run.cancel();
      await run.ended;
    } while (isRestarting && !closing.signal.aborted);
    if ("cutShort" in run && run.cutShort && current().status === "in_progress") {
      if (outcome === "cancelled") change({ type: "cancel_requested", by: "user" });
      else endWindow();
    }
    run = null;
    cancelLimit();
  }

  /** What answers the lines of the batch's connection. Null when the batch is to end before there is such. */
  async function openTarget(connection: string, direct: boolean): Promise<LineTarget | null> {
    for (;;) {
      const target = (await parts.connectionRuntime?.connections.open(connection, direct)) ?? null;
      if (target !== null || closing.signal.aborted || current().status !== "in_progress") return target;
      wait("Its connection was removed. Cancel the batch: what is answered stays.");
      const changed = Promise.withResolvers<void>();
      resume = changed.resolve;
      await changed.promise;
    }
  }

  function wait(next: string | null): void {
    reason = next;
    showWaiting();
  }

  function showWaiting(): void {
    if (finalStatuses.has(current().status)) return;
    const waiting = (disk.failure ?? failure)?.message ?? reason;
    if (current().waiting !== waiting) update({ waiting }, false);
  }
  const forgetDisk = disk.subscribe(showWaiting);

  /** Changes of a run; a lasting one is in the journal when this returns, so that it can be acted on. */
  function update(change: Partial<BatchRecord>, isLasting: boolean): void {
    const next = { ...current(), ...change };
    if (isLasting) store.batches.put(next);
    else store.batches.setWithoutJournal(next);
    onChange(next);
  }

  /** Its key or address is another one now: what is in flight is finished, the rest goes to the new one. */
  const forgetConnection = parts.connectionRuntime?.connections.subscribe((changed) => {
    if (changed !== current().connection) return;
    isRestarting = run !== null;
    run?.suspend();
    resume();
  });

  async function end(index: LineIndex, reader: RequestReader, answers: AnswerFiles): Promise<void> {
    // After a restart it is fetched what a service elsewhere has answered by then.
    if (closing.signal.aborted && hasOpenRemoteParts()) return;
    const finish = async () => {
      await answers.finish();
      update({ usage: sumTokens(index.columns) }, false);
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
    run?.abort(windowEnded);
  }

  /** A fault lets the window end early. */
  function endWindow(): void {
    update({ endedBy: "expiry", times: { ...current().times, expires: clock.now() } }, true);
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
    forgetDisk();
  });

  const lifecycle: BatchLifecycle = {
    done,
    get expiring() {
      return isExpiring();
    },
    cancel(by = "user") {
      checking.abort();
      isRestarting = false;
      run?.cancel();
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
            run?.abort("The batch was cancelled.");
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
      reason = null;
      update({ unclear: false, waiting: null }, true);
      resume();
    },
    watch() {
      if (run !== null && "watch" in run) run.watch();
    },
    async settleCreate(choice) {
      if (current().remote?.some(({ candidates }) => candidates !== null)) await Promise.race([started.promise, done]);
      if (run !== null && "settleCreate" in run) await run.settleCreate(choice);
      else throw new ServiceError("nothing_to_settle", "It is known where this batch is.");
    },
    async close(grace, cut) {
      closing.abort();
      checking.abort();
      run?.suspend();
      resume();
      await waitFor(done, grace, machine, cut);
      run?.abort("The service is closing.");
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

const askedToFail: Problem = {
  code: "injected_fault",
  message: "The batch fails, as its header x-sheaf-outcome asks for.",
  param: null,
  line: null,
  severity: "error",
};

const noLines: ReadonlyMap<number, number> = new Map();

function isAllAnswered({ total, isAnswered }: RunParts["index"]): boolean {
  for (let line = 1; line <= total; line++) if (!isAnswered(line)) return false;
  return true;
}

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
