export { LineInspector, type LineInspectorProps } from "./inspector/line-inspector.tsx";
export { ResultsTable, type ResultsTableProps } from "./table/results-table.tsx";
