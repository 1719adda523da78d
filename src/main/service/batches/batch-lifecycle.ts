import { setTimeout as sleep } from "node:timers/promises";
import { finalStatuses, type Problem, type StickyStatus } from "#contract";
import type { LineTarget, RequestIdentity } from "../connections.ts";
import type { Engine } from "../ports.ts";
import type { LineIndex } from "../results/index.ts";
import type { BatchRecord } from "../store/index.ts";
import { type AnswerFiles, openAnswerFiles } from "./answer-files.ts";
import { checkElsewhere, checkInput } from "./check-input.ts";
import type { KnownAnswers } from "./known-answers.ts";
import type { BatchParts } from "./parts.ts";
import { startRemoteRun } from "./remote-run.ts";
import { openRequestReader, type RequestReader, type Run, type RunParts, startRun } from "./run-lines.ts";
import { type Scheduler, weightOf } from "./scheduler.ts";
import { skipReasons, skipWaiting } from "./skip-lines.ts";
import { applyEvent, type BatchEvent, nextStatus, withAnswers } from "./state.ts";
import { copyIdentical, findIdentical, reuseAnswers, type TakeOverParts } from "./take-over.ts";

/** The longest that a batch is cancelling (docs/spec/service-interface.md, Limits), in milliseconds. */
const longestCancel = 10 * 60_000;
/** The longest that closing waits for a disk that does not take the last answers, in milliseconds. */
const longestLastWrite = 1_000;
const firstRetryDelay = 1_000;
const longestRetryDelay = 60_000;

/** Takes one batch from the state that it is in to its end. */
export interface BatchLifecycle {
  /** Resolves when the batch has reached a final status, or when it was closed. */
  readonly done: Promise<void>;
  /** True from the end of the completion window on, while what never ran is recorded. */
  readonly expiring: boolean;
  /** Cancels the batch: what is in flight is finished. */
  cancel(): void;
  /** Cancels it at that time, in Unix milliseconds; null for never. */
  setDeadline(deadline: number | null): void;
  /** Somebody looks at it. */
  watch(): void;
  /** Stops where it is, to go on after a restart. Lines in flight are awaited for `grace` milliseconds. */
  close(grace: number): Promise<void>;
}

export interface LifecycleParts extends BatchParts {
  readonly known: KnownAnswers;
}

/** `onChange` is called after each change of the batch's record. */
export function startLifecycle(
  parts: LifecycleParts,
  schedulerOf: (engine: Engine) => Scheduler,
  batchId: string,
  onChange: (batch: BatchRecord) => void,
): BatchLifecycle {
  const { store, indexes, faults, clock, logger } = parts;
  const checking = new AbortController();
  const closing = new AbortController();
  let expiring = false;
  let run: Run | null = null;
  let openAnswers: AnswerFiles | null = null;
  let forgetCancel = () => {};
  /** The run stops to begin again, because its connection was changed. */
  let isRestarting = false;
  /** Ends the wait for a connection. */
  let goOn = () => {};

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

  /** Carries on until the end. What fails on the way (a full disk, say) is tried again from what is on disk by then. */
  async function runToEnd(): Promise<void> {
    for (let delay = firstRetryDelay; ; delay = Math.min(delay * 2, longestRetryDelay)) {
      try {
        await carryOn();
        if (finalStatuses.has(current().status)) await indexes.save(current());
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
    const input = await checkInput(parts, current().inputFileId, checking.signal);
    await mayLeave("validating", checking.signal);
    if (expiring) change({ type: "window_closed" });
    if (current().status !== "validating" || input === null) return;
    if (input.problems !== null) {
      markFaulty(current().inputFileId, input.problems);
      change({ type: "rejected", problems: input.problems });
      return;
    }
    const problems = await checkElsewhere(parts, current(), input.index, checking.signal);
    if (current().status !== "validating") return;
    if (problems.length > 0) {
      change({ type: "rejected", problems });
      return;
    }
    indexes.set(batchId, input.index);
    change({ type: "checked", total: input.index.total, models: input.models });
  }

  /** Its content is at fault, not the disk that it could not be read from. */
  function markFaulty(fileId: string, problems: readonly Problem[]): void {
    if (problems.some(({ code }) => code === "file_unreadable")) return;
    const file = store.files.get(fileId);
    if (file !== undefined && !file.faulty) store.files.put({ ...file, faulty: true });
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
    const answers = await openAnswerFiles(parts, batchId, index, (completed, failed) => {
      store.batches.setWithoutJournal(withAnswers(current(), completed, failed));
      run?.wake();
      onChange(current());
    });
    openAnswers = answers;
    try {
      if (current().status === "in_progress" || isElsewhere()) await askLines(index, reader, answers);
      await end(index, reader, answers);
    } finally {
      openAnswers = null;
      await answers.abandon();
    }
  }

  /** Whether a service elsewhere has lines of it, which it may have answered: also those of a cancelled batch are fetched. */
  function isElsewhere(): boolean {
    return current().remote?.some(({ isFetched, sentAt }) => !isFetched && sentAt !== null) ?? false;
  }

  /** Asks what is not answered yet: what other batches have, and what is asked once for several lines, is taken over. */
  async function askLines(index: LineIndex, reader: RequestReader, answers: AnswerFiles): Promise<void> {
    const taking = await prepareTakeOver(index, answers);
    const identical = taking !== null && current().onceIdentical ? await findIdentical(taking) : noLines;
    if (taking !== null && current().reuse && current().reused === null) {
      const reused = await reuseAnswers(taking, parts.known, identical);
      if (closing.signal.aborted) return;
      update({ reused }, true);
    }
    const { total, request } = index;
    const isAnswered = (line: number) => index.isAnswered(line) || identical.has(line);
    await runLines({ total, request, isAnswered }, reader, answers);
    if (taking === null || identical.size === 0 || closing.signal.aborted) return;
    update({ copied: await copyIdentical(taking, identical) }, true);
  }

  async function prepareTakeOver(index: LineIndex, answers: AnswerFiles): Promise<TakeOverParts | null> {
    const { reuse, onceIdentical } = current();
    const identity = reuse || onceIdentical ? await recordAnswerer() : null;
    const isOver = () => closing.signal.aborted || current().status !== "in_progress";
    return identity && { ...parts, current, index, answers, identity, isOver };
  }

  /** Notes who answers, so that the answers can be found again. Those of several are not told apart. */
  async function recordAnswerer(): Promise<RequestIdentity | null> {
    const { connection, endpoint, answeredAs, counts, remote } = current();
    const identity = connection && (await parts.elsewhere?.connections.identify(connection, endpoint));
    if (!identity) return null;
    const isFresh = counts.completed === 0 && !remote?.some(({ sentAt }) => sentAt !== null);
    const next = isFresh || answeredAs === identity.answeredAs ? identity.answeredAs : null;
    if (next !== answeredAs) update({ answeredAs: next }, true);
    return identity;
  }

  async function runLines(index: RunParts["index"], reader: RequestReader, answers: AnswerFiles): Promise<void> {
    if (expiring || closing.signal.aborted) return;
    // What is at a service elsewhere is followed to its end all the same.
    if (current().remote === null && isAllAnswered(index)) return;
    const { metadata, connection, direct } = current();
    const weight = weightOf({ metadata }, parts.tier());
    const common = { ...parts, batchId, metadata, weight, index, reader, answers, onWaiting: wait };
    do {
      isRestarting = false;
      const target =
        connection === null ? { kind: "engine" as const, engine: parts.engine } : await openTarget(connection, direct);
      if (target === null) return;
      await recordAnswerer();
      // Who closed or expired it meanwhile found no run to stop.
      if (expiring || closing.signal.aborted) return;
      wait(null);
      if (target.kind === "remote") run = startRemoteRun(common, target.driver, current, update);
      else run = startRun({ ...common, engine: target.engine, scheduler: schedulerOf(target.engine) });
      if (current().status === "cancelling") run.cancel();
      await run.ended;
    } while (isRestarting && !closing.signal.aborted);
    if (run.cutShort && current().status === "in_progress") expiring = true;
    run = null;
    forgetCancel();
  }

  /** What answers the lines of the batch's connection. Null when the batch is to end before there is such. */
  async function openTarget(connection: string, direct: boolean): Promise<LineTarget | null> {
    for (;;) {
      const target = (await parts.elsewhere?.connections.open(connection, direct)) ?? null;
      if (target !== null || closing.signal.aborted || current().status !== "in_progress") return target;
      wait("Its connection was removed. Cancel the batch: what is answered stays.");
      const changed = Promise.withResolvers<void>();
      goOn = changed.resolve;
      await changed.promise;
    }
  }

  function wait(reason: string | null): void {
    if (current().waiting !== reason) update({ waiting: reason }, false);
  }

  /** Changes of a run; a lasting one is in the journal when this returns, so that it can be acted on. */
  function update(change: Partial<BatchRecord>, isLasting: boolean): void {
    const next = { ...current(), ...change };
    if (isLasting) store.batches.put(next);
    else store.batches.setWithoutJournal(next);
    onChange(next);
  }

  /** Its key or address is another one now: what is in flight is finished, the rest goes to the new one. */
  const forgetConnection = parts.elsewhere?.connections.subscribe((changed) => {
    if (changed !== current().connection) return;
    isRestarting = run !== null;
    run?.stop();
    goOn();
  });

  async function end(index: LineIndex, reader: RequestReader, answers: AnswerFiles): Promise<void> {
    // After a restart it is fetched what a service elsewhere has answered by then.
    if (closing.signal.aborted && isElsewhere()) return;
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

  let forgetExpiry = () => {};
  // The completion window of a batch elsewhere is the connection's.
  if (current().connection === null) {
    const timeLeft = current().times.expires - clock.now();
    forgetExpiry = clock.after(timeLeft, expire);
    if (timeLeft <= 0) expire();
  }
  let forgetDeadline = () => {};
  function watchDeadline(): void {
    forgetDeadline();
    const { deadline } = current();
    if (deadline !== null) forgetDeadline = clock.after(Math.max(0, deadline - clock.now()), meetDeadline);
  }
  function meetDeadline(): void {
    if (nextStatus(current().status, "cancel_requested") !== null) lifecycle.cancel();
  }

  const done = runToEnd().finally(() => {
    forgetExpiry();
    forgetDeadline();
    forgetCancel();
    forgetConnection?.();
  });

  const lifecycle: BatchLifecycle = {
    done,
    get expiring() {
      return expiring;
    },
    cancel() {
      change({ type: "cancel_requested" });
      checking.abort();
      isRestarting = false;
      run?.cancel();
      goOn();
      // What a service elsewhere cancels ends when it says so: it may have answers until then.
      forgetCancel = clock.after(longestCancel, () => {
        if (!isElsewhere()) run?.abort("The batch was cancelled.");
      });
    },
    setDeadline(deadline) {
      store.batches.put({ ...current(), deadline });
      watchDeadline();
      onChange(current());
    },
    watch: () => run?.watch?.(),
    async close(grace) {
      closing.abort();
      checking.abort();
      run?.stop();
      goOn();
      await waitFor(done, grace);
      run?.abort("The service is closing.");
      await waitFor(done, longestLastWrite);
      await openAnswers?.abandon();
      await done;
      // The counts were in memory only. In the journal, they are there after a restart before the files have been read.
      if (!finalStatuses.has(current().status)) store.batches.put(current());
    },
  };
  watchDeadline();
  return lifecycle;
}

const noLines: ReadonlyMap<number, number> = new Map();

function isAllAnswered({ total, isAnswered }: RunParts["index"]): boolean {
  for (let line = 1; line <= total; line++) if (!isAnswered(line)) return false;
  return true;
}

const windowEnded = "The completion window of the batch has ended.";

/**
 * Resolves with `done`, or after so many milliseconds of the machine's time. Not of the clock's: a process that is to end
 * ends, whatever time its clock shows.
 */
async function waitFor(done: Promise<void>, milliseconds: number): Promise<void> {
  const inTime = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: inTime.signal }).catch(() => {});
  await Promise.race([done, late]);
  inTime.abort();
}
