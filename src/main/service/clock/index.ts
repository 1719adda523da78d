export { createManualClock, type ManualClock } from "./manual-clock.ts";
export { createSystemClock } from "./system-clock.ts";
