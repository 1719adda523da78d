import { finalStatuses } from "#contract";
import { type Clock, type CreateChoice, type Engine, type Machine, ServiceError, type TrackedWork } from "#main/base";
import type { BatchRecord } from "#main/storage";
import { createLineAsker } from "./ask-lines.ts";
import { createSteps, type StepDeps } from "./batch-steps.ts";
import type { Alarm, Effect, Work } from "./reducer.ts";
import { type RunningBatch, trackBatch } from "./running-batch.ts";
import type { Scheduler } from "./scheduler.ts";
import { isExpiring } from "./state.ts";

/** The longest that closing waits for a disk that does not take the last answers, in milliseconds. */
const longestLastWrite = 1_000;

/** Takes one batch from the state that it is in to its end. */
export interface BatchLifecycle {
  /** Resolves when the batch has reached a final status, or when it was closed. */
  readonly done: Promise<void>;
  /** True from the end of the completion window on, while what never ran is recorded. */
  readonly isExpiring: boolean;
  /**
   * Cancels the batch: from now on nothing is sent, and what is in flight is finished. Resolves when that is recorded, however
   * long the disk refuses.
   */
  cancel(): Promise<void>;
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

export type LifecycleDeps = Omit<StepDeps, "closing">;

/** What an alarm tells the batch. */
const alarmEvents = { expiry: "window_ended", deadline: "deadline_met", cancel_limit: "cancel_overdue" } as const;

/**
 * Does the effects that `reduce` answers with, and dispatches the events that follow from them; `reduce` alone decides. Calls `onChange`
 * after each change of the batch's record.
 */
export function startLifecycle(
  parts: LifecycleDeps,
  schedulerOf: (engine: Engine) => Scheduler,
  batchId: string,
  onChange: (batch: BatchRecord) => void,
): BatchLifecycle {
  const { store, indexes, clock, logger } = parts;
  const { disk } = store;
  const closing = new AbortController();
  const ended = Promise.withResolvers<void>();
  const alarms = createAlarms(clock, (alarm) => dispatch({ type: alarmEvents[alarm] }));
  const waiters = new Set<() => void>();
  let ending: TrackedWork | null = null;
  let cancelled: Promise<void> = Promise.resolve();

  const batch = trackBatch(parts, batchId, perform, onChange);
  const { state, record, dispatch } = batch;
  const stepDeps = { ...parts, closing: closing.signal };
  const asker = createLineAsker({ ...stepDeps, schedulerOf, untilResumed }, batch);
  const steps = createSteps(stepDeps, batch, asker);

  function perform(effect: Exclude<Effect, { readonly type: "store" }>): void {
    const { run } = asker;
    switch (effect.type) {
      case "begin":
        void begin(effect.work).catch(ended.reject);
        break;
      case "set_alarm":
        alarms.set(effect.alarm, effect.at);
        break;
      case "stop_time":
        ending ??= clock.track(`the end of ${batchId}`, { stopsTime: true });
        break;
      case "let_time_pass":
        ending?.end();
        break;
      case "close":
        closing.abort();
        break;
      case "stop_check":
        steps.stopCheck();
        break;
      case "suspend_run":
        run?.suspend();
        break;
      case "cancel_run":
        run?.cancel();
        break;
      case "abort_run":
        run?.abort(effect.reason);
        break;
      case "wake_run":
        if (run !== null && "wake" in run) run.wake();
        break;
      case "resume":
        for (const resume of waiters) resume();
        waiters.clear();
        break;
      case "write_cancel":
        writeCancel(effect.by);
    }
  }

  /** What fails on the way (a full disk, say) is tried again from what is on disk by then. */
  async function begin(work: Work): Promise<void> {
    try {
      await steps[work]();
    } catch (error) {
      await steps.closeFiles();
      indexes.forget(batchId);
      const failure = closing.signal.aborted ? null : disk.report(error);
      if (failure === null && !closing.signal.aborted) {
        logger.error("A batch can't go on; trying again", { batch: batchId, error: String(error) });
      }
      const message = failure?.message ?? describeFailure(error);
      dispatch({ type: "attempt_failed", message, isOfDisk: failure !== null });
    }
    if (state().step === "over") ended.resolve();
  }

  function untilResumed(): Promise<void> {
    return new Promise((resolve) => waiters.add(resolve));
  }

  function writeCancel(by: "user" | "deadline"): void {
    cancelled = disk.retry(() => dispatch({ type: "cancel_requested", by }), {
      signal: closing.signal,
      usesReserve: true,
    });
    cancelled.catch((error: unknown) => {
      if (!closing.signal.aborted) logger.error("A batch can't be cancelled", { batch: batchId, error: String(error) });
      dispatch({ type: "cancel_dropped" });
    });
  }

  const forgetDisk = disk.subscribe(() => dispatch({ type: "disk_changed" }));
  /** Its key or address is another one now: what is in flight is finished, the rest goes to the new one. */
  const forgetConnection = parts.connectionRuntime?.connections.subscribe((changed) => {
    if (changed === record().connection) dispatch({ type: "connection_changed" });
  });
  const done = ended.promise.finally(async () => {
    await steps.written();
    alarms.clear();
    ending?.end();
    forgetConnection?.();
    forgetDisk();
  });
  dispatch({ type: "begun" });

  return {
    done,
    get isExpiring() {
      return isExpiring(record());
    },
    cancel() {
      dispatch({ type: "cancel_asked" });
      return cancelled;
    },
    setDeadline: (deadline) => dispatch({ type: "deadline_set", deadline }),
    resume: () => dispatch({ type: "decided" }),
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
      if (record().remote?.some(({ candidates }) => candidates !== null)) await Promise.race([asker.started, done]);
      const { run } = asker;
      if (run !== null && "settleCreate" in run) await run.settleCreate(choice);
      else throw new ServiceError("nothing_to_settle", "It is known where this batch is.");
    },
    async close(grace, cut) {
      dispatch({ type: "closing" });
      await waitFor(done, grace, parts.machine, cut);
      dispatch({ type: "grace_over" });
      await waitFor(done, longestLastWrite, parts.machine);
      await steps.abandon();
      await done;
      keepCounts(parts, batch);
    },
  };
}

/** Of each alarm the time that was set last holds; null is never. */
function createAlarms(clock: Pick<Clock, "at">, ring: (alarm: Alarm) => void) {
  const cancels = new Map<Alarm, () => void>();
  return {
    set(alarm: Alarm, at: number | null): void {
      cancels.get(alarm)?.();
      cancels.delete(alarm);
      if (at !== null)
        cancels.set(
          alarm,
          clock.at(at, () => ring(alarm)),
        );
    },
    clear(): void {
      for (const cancel of cancels.values()) cancel();
    },
  };
}

/** The counts were in memory only. In the journal, they are there after a restart before the files have been read. */
function keepCounts({ store, logger }: LifecycleDeps, { id, record }: RunningBatch): void {
  if (finalStatuses.has(record().status)) return;
  try {
    store.batches.put(record());
  } catch (error) {
    logger.warn("The counts of a batch can't be recorded", { batch: id, error: String(error) });
  }
}

/** A waiting batch shows a reason for every failure, also for an unexpected one. */
function describeFailure(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\.?\s*$/, ".");
  return `The batch can't continue: ${message} Sheaf tries again by itself.`;
}

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
