export type { FindAnswerFields } from "./answer-fields.ts";
export type { BatchCosts } from "./batch-costs.ts";
export { type BatchPaths, pathsOf } from "./batch-paths.ts";
export { isColumnFile } from "./column-file.ts";
export { createValueTest } from "./column-values.ts";
export { type ReadColumn, removeColumnFiles, type Tables } from "./columns.ts";
export type { Comparisons } from "./comparisons.ts";
export { reportCosts } from "./cost-report.ts";
export { cutText, wholeText } from "./cut-text.ts";
export type { DamageRecords } from "./damaged-answers.ts";
export { sumTokens } from "./fact-columns.ts";
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
export type { AnsweredCall, JudgeCosts } from "./judge-cost-sum.ts";
export { createJudgeCostReader } from "./judge-costs.ts";
export { createJudgeSpending, type JudgeSpending } from "./judge-spending.ts";
export type { LinePrice, LineTokens, Prices } from "./line-costs.ts";
export { createLineIndex, type LineIndex } from "./line-index.ts";
export {
  type Attempt,
  listRetries,
  listRetryable,
  listRootLines,
  type MergedBatches,
  type MergedLines,
  rootOf,
} from "./merged.ts";
export { measure, type OpenedIndex } from "./open-index.ts";
export { openReading } from "./open-reading.ts";
export { type AnswerLine, createRequestReader, type RequestReader, readAnswers, readRequests } from "./read-lines.ts";
export { createRecordPrice } from "./record-price.ts";
export { type RequestLines, readRequestLines, scanRequests } from "./request-lines.ts";
export type { Results } from "./results.ts";
export { createSearchThread, type SearchThread } from "./searches.ts";
