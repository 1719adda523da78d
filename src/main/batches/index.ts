export { restoreCounts } from "./answer-counts.ts";
export { nameOf } from "./batch-name.ts";
export { startBatches } from "./batches.ts";
export type { Batches } from "./batches-port.ts";
export { type DeletedBatch, deletedLifetime } from "./deleted-batches.ts";
export {
  type ContentHash,
  contentNameSchema,
  contentsSchema,
  createContentCheck,
  hashContent,
  isSoundContent,
} from "./files/check-content.ts";
export { startFileExpiry } from "./files/file-expiry.ts";
export { createFiles, type Files, type PendingFile } from "./files/files.ts";
export type { Owner } from "./owner.ts";
export { type KeepLimits, type Retention, startRetention } from "./retention.ts";
export type { QueueHandle, WorkQueue } from "./scheduler.ts";
