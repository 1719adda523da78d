export { countEnded, type RunningLines, sumRunning } from "./counts.ts";
export { BatchesPage, type BatchesPageProps } from "./list/batches-page.tsx";
export { BatchPage, type BatchPageProps } from "./page/batch-page.tsx";
export { LineInspector, type LineInspectorProps } from "./results/line-inspector.tsx";
export { ResultsTable, type ResultsTableHandle, type ResultsTableProps } from "./results/results-table.tsx";
export { type BatchesSearch, type BatchSearch, batchesSearchSchema, batchSearchSchema } from "./search-params.ts";
export { isUnderWay, lookOf, underWayStatuses } from "./status.ts";
export { useBatch, useBatches, useBatchesWatch } from "./use-batches.ts";
