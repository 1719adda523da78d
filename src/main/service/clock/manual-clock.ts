import type { Clock } from "../ports.ts";
import { sleepWith } from "./sleep.ts";

/** A clock that stands still until it is turned forward. For tests. */
export interface ManualClock extends Clock {
  /**
   * Turns it forward by `milliseconds` and runs what falls due on the way, in order of time, each at its own time.
   * After each it lets the promises that wait for it go on.
   */
  advance(milliseconds: number): Promise<void>;
  /** How many callbacks are still to come. */
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A manual clock that starts at `start` (Unix milliseconds). */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  const timers = new Set<Timer>();

  function after(delay: number, run: () => void): () => void {
    const timer = { at: now + Math.max(0, delay), run };
    timers.add(timer);
    return () => timers.delete(timer);
  }

  function nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }

  async function advance(milliseconds: number): Promise<void> {
    const end = now + milliseconds;
    for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
      timers.delete(timer);
      now = Math.max(now, timer.at);
      timer.run();
      await new Promise((resolve) => setImmediate(resolve));
    }
    now = end;
  }

  return {
    now: () => now,
    after,
    sleep: (delay, signal) => sleepWith(after, delay, signal),
    advance,
    get pending() {
      return timers.size;
    },
  };
}
