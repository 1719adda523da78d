export { type RunningBatches, startBatches } from "./batches.ts";
export type { BatchParts } from "./parts.ts";
export { createRateMeter, type RateMeter } from "./rate-meter.ts";
export type { Lane, LaneHandle } from "./scheduler.ts";
