import type { Tier } from "../models/index.ts";
import type { BatchRecord } from "../store/index.ts";

/** The priorities of batches (service-interface.md, Limits: Batch request priority). */
type Priority = "standard" | "high";

/** `Standard` and `High` batches that run together share the engine 1 : 3 (decisions.md, Tiers). */
const weights: Readonly<Record<Priority, number>> = { standard: 1, high: 3 };

const priorityByTier: Readonly<Record<Tier, Priority>> = { free: "standard", standard: "high" };

/**
 * A batch's share of the engine beside others. Its `priority` in the metadata (`standard` or `high`) wins over the tier's;
 * any other word there is the user's own and means nothing here.
 */
export function weightOf({ metadata }: Pick<BatchRecord, "metadata">, tier: Tier): number {
  const { priority } = metadata;
  return weights[priority === "standard" || priority === "high" ? priority : priorityByTier[tier]];
}
