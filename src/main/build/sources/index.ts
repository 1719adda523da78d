export { indexSource, reindexCsv } from "./index-source.ts";
export { parseJsonObject } from "./json-cells.ts";
export { readRows, readSomeRows } from "./read-rows.ts";
export { createSourceStore, type SourceReader, type SourceStore } from "./source-store.ts";
export {
  indexEventSchema,
  type Row,
  rowSchema,
  type StoredSource,
  sourceIndexSchema,
  storedSourceSchema,
} from "./stored-source.ts";
