export { indexSource, reindexCsv } from "./index-source.ts";
export { readRows, readSomeRows } from "./read-rows.ts";
export { type Row, type StoredSource, storedSourceSchema } from "./stored-source.ts";
