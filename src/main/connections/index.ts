export type { BatchApi } from "./batch-api.ts";
export { createLocalBatchApi } from "./local-batch-api.ts";
