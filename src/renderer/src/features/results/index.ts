export { useBatchesExport } from "./export/export-dialog.tsx";
export { LineInspector, type LineInspectorProps } from "./inspector/line-inspector.tsx";
export { ExportButton, ResultItems } from "./result-actions.tsx";
export { ResultsProvider, type ResultsProviderProps, useResults } from "./results-context.tsx";
export { type BatchSearch, batchSearchSchema, filterOf, hasFilter } from "./search-params.ts";
export type { ResultsTableHandle } from "./table/results-table.tsx";
export { ResultTabs, type ResultTabsProps } from "./tabs/result-tabs.tsx";
