export {
  type AdjustableClock,
  type ClockOptions,
  createAdjustableClock,
  createManualClock,
  type ManualClock,
} from "./adjustable-clock.ts";
export { createFakeMachine, type FakeMachine } from "./fake-machine.ts";
export { createIdleLimit, type IdleLimit, limitWaits } from "./idle-limit.ts";
export { createSystemMachine, nextTurn } from "./machine.ts";
export { createSystemClock } from "./system-clock.ts";
