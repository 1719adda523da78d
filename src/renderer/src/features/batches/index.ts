export { BatchPlace, type BatchPlaceProps } from "./batch/batch-place.tsx";
export { countEnded, type RunningLines, sumRunning } from "./counts.ts";
export { BatchesPlace, type BatchesPlaceProps } from "./list/batches-place.tsx";
export { useBatch, useBatches, useBatchesWatch } from "./live/use-batches.ts";
export { type BatchesSearch, type BatchSearch, batchesSearchSchema, batchSearchSchema } from "./search-params.ts";
export { isUnderWay, lookOf, underWayStatuses } from "./status.ts";
