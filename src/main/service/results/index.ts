export { pathsOf } from "./batch-paths.ts";
export type { AnswerFacts } from "./fact-columns.ts";
export { createIndexCache, type IndexCache } from "./index-cache.ts";
export { joinLine, parseOutcome, readOutcome, requestSchema, toFacts } from "./join-line.ts";
export { type AnswerFile, createLineIndex, type LineIndex } from "./line-index.ts";
export { createMergedBatches, listRetries, type MergedBatches } from "./merged.ts";
export { type ByteRange, readRanges, readRequests } from "./read-lines.ts";
export { createResults, type ModelUsage, type Results } from "./results.ts";
export { openTimings } from "./timings.ts";
