import { app } from "electron";
import type { Logger, Machine } from "#main/base";
import { ask } from "./dialogs.ts";
import { describeClosing, type QuitTimes, shutdownTimes, storeLimit } from "./policy/quit.ts";
import type { RunningBatch } from "./policy/running-batch.ts";

interface ClosingDeps {
  readonly running: () => readonly RunningBatch[];
  /** Ends the service: what is in flight is awaited for `grace` milliseconds, or until `cut` is aborted. */
  readonly close: (grace: number, cut: AbortSignal) => Promise<void>;
  readonly machine: Machine;
  readonly logger: Logger;
}

export interface Closing {
  /** Begins it, once. The app exits at its end. */
  begin(times: QuitTimes): void;
  isUnderWay(): boolean;
  /** Ends the wait for answers. */
  cut(): void;
  /** Shows it, in front of all windows. `isStartedAgain`: its user has started the app meanwhile. */
  show(isStartedAgain: boolean): void;
}

/** A wait that is shorter is over before it has been read, in milliseconds. */
const shortestShown = 300;

/** The end itself: waits for answers and for the disk, shows that when it takes a while, and exits. */
export function createClosing({ running, close, machine, logger }: ClosingDeps): Closing {
  const cut = new AbortController();
  const ended = new AbortController();
  const late = Promise.withResolvers<boolean>();
  /** When answers are no longer awaited; null while the app does not end. */
  let awaitedUntil: number | null = null;
  let shown: AbortController | undefined;

  const left = () => (cut.signal.aborted ? 0 : Math.max(0, (awaitedUntil ?? 0) - machine.monotonic()));

  /** Ends the wait for answers. What is left is storing, which has its own limit. */
  function endWait(): void {
    cut.abort();
    machine.after(storeLimit, () => late.resolve(false), { unref: true });
  }

  /** A question that is there already may be behind other windows: the new one takes its place. */
  async function show(isStartedAgain: boolean): Promise<void> {
    if (awaitedUntil === null) return;
    shown?.abort();
    shown = new AbortController();
    const question = describeClosing(running(), { left: left(), isStartedAgain });
    const answer = await ask(question, undefined, logger, AbortSignal.any([shown.signal, ended.signal]));
    if (answer !== "cut") return;
    // Where only storing is left, Quit now ends that, too.
    if (left() === 0) late.resolve(false);
    endWait();
  }

  async function end({ grace, limit }: QuitTimes): Promise<void> {
    machine.after(limit, () => late.resolve(false), { unref: true });
    const withdraw = grace > shutdownTimes.grace ? machine.after(shortestShown, () => void show(false)) : () => {};
    try {
      const isDone = await Promise.race([close(grace, cut.signal).then(() => true), late.promise]);
      if (!isDone) logger.warn("The service did not end in time.", { milliseconds: limit });
    } catch (error) {
      logger.error("The service did not end as it should.", { reason: String(error) });
    } finally {
      withdraw();
      ended.abort();
      app.exit();
    }
  }

  return {
    begin(times) {
      if (awaitedUntil !== null) return;
      awaitedUntil = machine.monotonic() + times.grace;
      void end(times);
    },
    isUnderWay: () => awaitedUntil !== null,
    cut: endWait,
    show: (isStartedAgain) => void show(isStartedAgain),
  };
}
