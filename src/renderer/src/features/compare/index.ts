export { CompareInspector, type CompareInspectorProps } from "./compare-inspector.tsx";
export { ComparePage, type ComparePageProps, type CompareTableHandle } from "./compare-page.tsx";
export { baselineOf, type CompareSearch, compareSearchSchema, idsOf } from "./search-params.ts";
export { nameSides, namesOf } from "./side-names.ts";
