import { type AdjustableClock, createAdjustableClock } from "./adjustable-clock.ts";

/** A clock that stands still until it is turned forward. */
export type ManualClock = AdjustableClock;

/** A manual clock that starts at `start` (Unix milliseconds). */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  return createAdjustableClock({ start, speed: 0 });
}
