export { type BatchApi, createLocalBatchApi } from "./batch-api.ts";
