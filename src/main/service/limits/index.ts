export { createRealtimeGate, type RealtimeGate, type RealtimeLimits, realtimeLimits } from "./realtime-gate.ts";
