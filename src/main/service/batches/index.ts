export { type Batches, type CreateBatch, type RunningBatches, startBatches } from "./batches.ts";
export type { BatchProgress } from "./pace-keeper.ts";
export type { BatchParts } from "./parts.ts";
export { createRateMeter, type RateMeter } from "./rate-meter.ts";
export type { Lane, LaneHandle } from "./scheduler.ts";
