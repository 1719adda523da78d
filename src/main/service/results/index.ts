export { createAnswerFields, type FindAnswerFields } from "./answer-fields.ts";
export { type BatchCosts, createBatchCosts } from "./batch-costs.ts";
export { type BatchPaths, pathsOf } from "./batch-paths.ts";
export { buildIndex } from "./build-index.ts";
export { createColumns, type ReadColumn, removeColumnFiles, type Tables } from "./columns.ts";
export { type Comparisons, createComparisons } from "./comparisons.ts";
export { type AnswerFacts, sumTokens } from "./fact-columns.ts";
export { createIndexCache, type IndexCache, readIndex } from "./index-cache.ts";
export {
  customIdOf,
  findCustomId,
  idOfLine,
  joinLine,
  parseOutcome,
  type ResultLine,
  readOutcome,
  requestSchema,
  toFacts,
} from "./join-line.ts";
export type { LinePrice, LineTokens, Prices } from "./line-costs.ts";
export { type AnswerFile, createLineIndex, type LineIndex } from "./line-index.ts";
export { createMergedBatches, listRetries, listRetryable, type MergedBatches, rootOf } from "./merged.ts";
export {
  type ByteRange,
  openRequestReader,
  type RequestReader,
  readAnswers,
  readRanges,
  readRequests,
} from "./read-lines.ts";
export { createResults, type Results } from "./results.ts";
export { createIndexBuilder, createSearches, createSearchThread } from "./searches.ts";
export { openTimings, reusedTime, type Timing } from "./timings.ts";
