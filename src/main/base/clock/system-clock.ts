import type { Clock, Machine } from "../ports.ts";
import { createAdjustableClock } from "./adjustable-clock.ts";

/** A clock that shows the machine's own time. */
export function createSystemClock(machine?: Machine): Clock {
  return createAdjustableClock(machine && { machine });
}
