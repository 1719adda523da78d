export { createRealtimeGate, type RealtimeGate } from "./realtime-gate.ts";
export { type RealtimeLimits, realtimeLimits } from "./tier-limits.ts";
