import type { Tier } from "../models/index.ts";

/** What direct calls are held to. Batches have no part in it. */
export interface RealtimeLimits {
  /** Most calls under way at a time. */
  readonly concurrency: number;
  /** Most calls that begin within any 60 seconds. */
  readonly requestsPerMinute: number;
}

/** By tier (service-interface.md, Limits). */
export const realtimeLimits: Readonly<Record<Tier, RealtimeLimits>> = {
  free: { concurrency: 2, requestsPerMinute: 1 },
  standard: { concurrency: 10, requestsPerMinute: 60 },
};
