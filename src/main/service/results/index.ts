export { createIndexCache, type IndexCache } from "./index-cache.ts";
export { type AnswerFile, createLineIndex, type LineIndex } from "./line-index.ts";
export { createResults } from "./results.ts";
