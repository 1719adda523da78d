export { useBatch, useBatches } from "./batch-queries.ts";
export { lookOf, type RunningLines, sumRunning, underWayStatuses } from "./describe-batch.ts";
export { describeLines } from "./lines-bar.tsx";
export { BatchesPage, type BatchesPageProps } from "./list/batches-page.tsx";
export { BatchPage, type BatchPageProps } from "./page/batch-page.tsx";
export { LineInspector, type LineInspectorProps } from "./results/line-inspector.tsx";
export type { ResultsTableHandle } from "./results/results-table.tsx";
export {
  type BatchesSearch,
  type BatchSearch,
  batchesSearchSchema,
  batchSearchSchema,
  filterOf,
} from "./search-params.ts";
export { useDraftFromBatch } from "./use-draft-from-batch.ts";
export { useRetryBatches } from "./use-retry-batch.tsx";
export { useBatchesWatch } from "./watch.ts";
