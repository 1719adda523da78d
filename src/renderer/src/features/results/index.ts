export { LineInspector, type LineInspectorProps } from "./inspector/line-inspector.tsx";
export { ResultsTable, type ResultsTableHandle, type ResultsTableProps } from "./table/results-table.tsx";
