export { createIndexCache, type IndexCache } from "./index-cache.ts";
export { joinLine, readOutcome, requestSchema } from "./join-line.ts";
export { type AnswerFile, createLineIndex, type LineIndex } from "./line-index.ts";
export { type ByteRange, readRanges } from "./read-lines.ts";
export { createResults, type ResultFilter, type Results } from "./results.ts";
export { openTimings } from "./timings.ts";
