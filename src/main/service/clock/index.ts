export {
  type AdjustableClock,
  type ClockOptions,
  createAdjustableClock,
  createManualClock,
  type ManualClock,
} from "./adjustable-clock.ts";
export { createSystemClock } from "./system-clock.ts";
