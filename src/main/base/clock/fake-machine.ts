import type { Machine } from "../ports.ts";
import { completeMachine, nextTurn } from "./machine.ts";
import { createTimerQueue } from "./timer-queue.ts";

/** A machine for tests: its time stands still until the test lets it pass. */
export interface FakeMachine extends Machine {
  /**
   * Lets `milliseconds` pass by both of its clocks. Runs what falls due on the way in order, each at its own time, and lets
   * the promises that wait for it continue.
   */
  advance(milliseconds: number): Promise<void>;
  /** Sets the wall clock, forward or back. No time passes. */
  setWall(moment: number): void;
  /** How many timers are set. */
  readonly pending: number;
}

/** A fake machine whose wall clock shows `start` (Unix milliseconds). */
export function createFakeMachine(start: number = Date.UTC(2026, 0, 1)): FakeMachine {
  const timers = createTimerQueue();
  let now = 0;
  let wallOffset = start;
  const wall = () => wallOffset + now;

  return {
    ...completeMachine({
      wall,
      monotonic: () => now,
      after: (delay, run) => timers.add({ at: now + Math.max(0, delay), moment: null, run }),
    }),
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (let timer = timers.takeUntil(end); timer !== undefined; timer = timers.takeUntil(end)) {
        now = Math.max(now, timer.at);
        timer.run();
        await nextTurn();
      }
      now = end;
      await nextTurn();
    },
    setWall(moment) {
      wallOffset = moment - now;
    },
    get pending() {
      return timers.size;
    },
  };
}
