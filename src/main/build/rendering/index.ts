export { checkRows } from "./check-rows.ts";
export { previewRow } from "./preview-row.ts";
export { sampleRequests } from "./sample-requests.ts";
export { type WriteProgress, type WriteResult, writeProgressSchema } from "./write-progress.ts";
export { writeRows } from "./write-rows.ts";
