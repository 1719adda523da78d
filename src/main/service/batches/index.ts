export { type Batches, type RunningBatches, startBatches } from "./batches.ts";
export { limitToScope } from "./limit-to-scope.ts";
export type { BatchParts, CreateBatch } from "./parts.ts";
export { type Expendable, type KeepLimits, type RemovedItem, type Retention, startRetention } from "./retention.ts";
export type { RetryBatch } from "./retry-batch.ts";
export type { QueueHandle, WorkQueue } from "./scheduler.ts";
export type { BatchProgress } from "./throughput.ts";
export { createRateMeter, type RateMeter } from "./throughput.ts";
export { withArchive } from "./with-archive.ts";
