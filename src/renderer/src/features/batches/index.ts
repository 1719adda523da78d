export { lookOfBatch, type RunningLines, sumRunning, underWayStatuses } from "./describe-batch.ts";
export { describeLines } from "./lines-bar.tsx";
export { BatchesPage, type BatchesPageProps } from "./list/batches-page.tsx";
export { BatchActions, type BatchActionsProps } from "./page/batch-actions.tsx";
export { BatchHead, type BatchHeadProps } from "./page/batch-head.tsx";
export { BatchPage, type BatchPageProps, useBatchPage } from "./page/batch-page.tsx";
export { type BatchesSearch, batchesSearchSchema } from "./search-params.ts";
export { useDraftFromBatch } from "./use-draft-from-batch.ts";
export { useRetryBatches } from "./use-retry-batch.tsx";
