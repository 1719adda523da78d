import { z } from "zod";

/** What faults can act on: lines of batches, and requests over HTTP by what they are about. */
export const faultTargets = ["lines", "chat", "files", "batches", "models"] as const;
export type FaultTarget = (typeof faultTargets)[number];

/** The statuses that a batch can be made to stay in. */
export const stickyStatuses = ["validating", "cancelling"] as const;
export type StickyStatus = (typeof stickyStatuses)[number];

/**
 * What can go wrong with a request over HTTP, as the header `x-sheaf-outcome` and faults by count name it. `drop` cuts the
 * connection in the middle of the answer, `reset` before its first byte; `hang` sends no answer.
 */
export const faultNames = ["failure", "rate_limit", "drop", "malformed", "hang", "reset"] as const;
export type FaultName = (typeof faultNames)[number];

/** What a fault by count acts on: all requests of a kind, or those that do one thing. */
export const countedTargets = [
  "chat",
  "files",
  "batches",
  "models",
  "uploads",
  "downloads",
  "creates",
  "polls",
] as const;
export type CountedTarget = (typeof countedTargets)[number];

/** The first requests of a kind fail, and all later ones succeed. */
export const faultCountSchema = z
  .strictObject({
    target: z
      .enum(countedTargets)
      .describe(
        "`creates` and `polls` are about batches. `downloads` are contents of files and results of batches. `chat` includes the other endpoints of models.",
      ),
    first: z.int().min(1).max(1_000_000).describe("How many requests it acts on."),
    fault: z.enum(faultNames).default("failure"),
    status: z.int().min(400).max(599).optional().describe("Of a failure; default 503."),
    left: z.int().min(0).max(1_000_000).optional().describe("Requests left; default: all of them."),
  })
  .check(({ value, issues }) => {
    if (issues.length > 0) return;
    const tell = (field: "status" | "left", message: string) =>
      issues.push({ code: "custom", message, input: value[field], path: [field] });
    if (value.status !== undefined && value.fault !== "failure") tell("status", "is for the fault 'failure' alone");
    if (value.left !== undefined && value.left > value.first) tell("left", "is more than first");
  });
export type FaultCount = z.infer<typeof faultCountSchema>;

/** Several kinds at once take turns in this order: a request meets the first that acts on it and has some left. */
export const faultCountsSchema = z.array(faultCountSchema).max(100);

/** How a batch that is created can ask to end, by the same header. */
export const requestedOutcomes = ["failed", "expired", "cancelled"] as const;
export type RequestedOutcome = (typeof requestedOutcomes)[number];

/** A share of all requests: 0 is never, 1 is always. */
const rate = z.number().min(0).max(1).default(0);

const rateFields = ["failure_rate", "rate_limit_rate", "drop_rate", "malformed_rate"] as const;

/** The faults that a server is set to have, as in the body of `PUT /sheaf/faults`. Absent fields are off. */
export const faultSettingsSchema = z
  .strictObject({
    /** Requests that fail with one of `statuses`. */
    failure_rate: rate,
    statuses: z.array(z.int().min(400).max(599)).min(1).max(50).default([500]),
    /** Requests that are answered with 429 and `retry-after`. */
    rate_limit_rate: rate,
    /** Seconds. */
    retry_after: z.int().min(0).max(3_600).default(1),
    /** Added to every request. */
    latency_ms: z.int().min(0).max(600_000).default(0),
    /** Requests over HTTP whose connection is cut in the middle of the answer. */
    drop_rate: rate,
    /** Requests over HTTP that are answered with half of their JSON. */
    malformed_rate: rate,
    /** What all of the above act on. */
    targets: z.array(z.enum(faultTargets)).min(1).max(10).default(["lines", "chat"]),
    /** Uploads that are refused with one of `statuses`. */
    upload_failure_rate: rate,
    /** Batches that come to such a status stay in it. */
    stuck_in: z.array(z.enum(stickyStatuses)).max(10).default([]),
    /** Batches expire once so many of their lines have been answered. */
    expire_after: z.int().min(0).nullable().default(null),
    /** Another seed selects other requests; null is the seed of the server. */
    seed: z.int().min(0).nullable().default(null),
    /** Faults by count. They act before all of the above. */
    counts: faultCountsSchema.default([]),
  })
  .refine((settings) => rateFields.reduce((sum, field) => sum + settings[field], 0) <= 1 + Number.EPSILON, {
    message: `${rateFields.join(", ")} add up to more than 1.`,
  });
export type FaultSettings = z.infer<typeof faultSettingsSchema>;

/** What `/sheaf/faults` answers with: also the faults by count of the scope's rules, where there are any. */
export const faultsInForceSchema = faultSettingsSchema.safeExtend({ rule_counts: faultCountsSchema.optional() });

/** The body of `POST /sheaf/faults`. */
export const addFaultsSchema = z.strictObject({ counts: faultCountsSchema.min(1) });
