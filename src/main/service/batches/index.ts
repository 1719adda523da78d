export { type RunningBatches, startBatches } from "./batches.ts";
export type { BatchParts } from "./parts.ts";
