export { type AdjustableClock, type ClockOptions, createAdjustableClock } from "./adjustable-clock.ts";
export { createManualClock, type ManualClock } from "./manual-clock.ts";
export { createSystemClock } from "./system-clock.ts";
