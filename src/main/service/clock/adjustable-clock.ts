import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../ports.ts";
import { longestTimeout, sleepWith } from "./system-clock.ts";
import { createTimerQueue } from "./timer-queue.ts";

/** A clock that can go faster than the machine's, stand still, and be turned forward. */
export interface AdjustableClock extends Clock {
  /** How many of its seconds pass in one of the machine's; 0 for a clock that stands still. */
  readonly speed: number;
  /**
   * Turns it forward by `milliseconds` and runs what falls due on the way, in order of time, each at its own time. After
   * each it lets the promises that wait for it go on. What waits for a disk or a network takes the time that it takes.
   */
  advance(milliseconds: number): Promise<void>;
  /** How many callbacks are still to come. */
  readonly pending: number;
}

export interface ClockOptions {
  /** 1 by default. */
  readonly speed?: number;
  /** Where it begins, in Unix milliseconds; at the machine's time by default. */
  readonly start?: number;
}

export function createAdjustableClock({ speed = 1, start = Date.now() }: ClockOptions = {}): AdjustableClock {
  const timers = createTimerQueue();
  let since = { machine: Date.now(), time: start };
  /** The time while it is turned forward. */
  let turnedTo: number | null = null;
  let lastTurn = Promise.resolve();
  let alarm: NodeJS.Timeout | undefined;

  function now(): number {
    return turnedTo ?? Math.floor(since.time + (Date.now() - since.machine) * speed);
  }

  /** Sets the alarm for the timer that is next. */
  function plan(): void {
    clearTimeout(alarm);
    const next = timers.first();
    if (next === undefined || speed === 0 || turnedTo !== null) return;
    const wait = Math.ceil((next.at - now()) / speed);
    alarm = setTimeout(wake, Math.min(Math.max(0, wait), longestTimeout));
  }

  function wake(): void {
    try {
      const end = now();
      for (let timer = timers.takeUntil(end); timer !== undefined; timer = timers.takeUntil(end)) timer.run();
    } finally {
      plan();
    }
  }

  function after(delay: number, run: () => void): () => void {
    const at = now() + Math.max(0, delay);
    const isNext = at < (timers.first()?.at ?? Number.POSITIVE_INFINITY);
    const forget = timers.add(at, run);
    if (isNext) plan();
    return () => {
      forget();
      if (timers.size === 0) clearTimeout(alarm);
    };
  }

  async function turn(milliseconds: number): Promise<void> {
    turnedTo = now();
    const end = turnedTo + milliseconds;
    try {
      for (let timer = timers.takeUntil(end); timer !== undefined; timer = timers.takeUntil(end)) {
        turnedTo = Math.max(turnedTo, timer.at);
        timer.run();
        await nextTurn();
      }
    } finally {
      since = { machine: Date.now(), time: end };
      turnedTo = null;
      plan();
    }
  }

  return {
    speed,
    now,
    after,
    sleep: (delay, signal) => sleepWith(after, delay, signal),
    advance(milliseconds) {
      const turned = lastTurn.then(() => turn(milliseconds));
      lastTurn = turned.catch(() => {});
      return turned;
    },
    get pending() {
      return timers.size;
    },
  };
}

/** A clock that stands still until it is turned forward. */
export type ManualClock = AdjustableClock;

/** A manual clock that starts at `start` (Unix milliseconds). */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  return createAdjustableClock({ start, speed: 0 });
}
