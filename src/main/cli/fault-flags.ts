import { z } from "zod";
import { type FaultSettings, faultSettingsSchema, faultTargets, stickyStatuses } from "#contract";
import { CliError, exitCodes } from "./cli-error.ts";
import { type FlagsOf, flag, inGroup } from "./flag.ts";
import { listOf, share, wholeNumber } from "./flag-types.ts";

const statusesExpected = "statuses from 400 to 599, such as 500,503";
const targetsExpected = `some of ${faultTargets.join(",")}`;
const stickyExpected = `some of ${stickyStatuses.join(",")}`;

const statuses = listOf(
  z
    .string()
    .regex(/^[45]\d\d$/, statusesExpected)
    .transform(Number),
  statusesExpected,
);
const targets = listOf(z.enum(faultTargets, targetsExpected), targetsExpected);
const stuck = listOf(z.enum(stickyStatuses, stickyExpected), stickyExpected);

/** The faults that are injected from the start. */
export const faultFlags = inGroup("Faults (also while it runs, at /sheaf/faults):", {
  failureRate: flag("<SHARE>", "error rate: share of requests that fail, such as 0.05", share),
  failureStatuses: flag("<LIST>", "statuses of failed requests", statuses, { otherwise: "500" }),
  rateLimitRate: flag("<SHARE>", "share of requests answered with 429", share),
  retryAfter: flag("<SECONDS>", "retry-after of a 429", wholeNumber(0, 3_600), { otherwise: "1" }),
  latency: flag("<MS>", "milliseconds added to every request", wholeNumber(0, 600_000)),
  dropRate: flag("<SHARE>", "share of answers whose connection is cut in the middle", share),
  malformedRate: flag("<SHARE>", "share of answers with half of their JSON", share),
  faultTargets: flag("<LIST>", `what these faults act on: ${faultTargets.join(",")}`, targets, {
    otherwise: "lines,chat",
  }),
  uploadFailureRate: flag("<SHARE>", "share of uploads that are refused", share),
  stuckIn: flag("<LIST>", `hold batches in a status: ${stickyStatuses.join(",")}`, stuck),
  expireAfter: flag("<LINES>", "batches expire once so many lines are answered", wholeNumber(0, 1_000_000)),
});

/** The settings that the flags ask for. Fails when they don't go together. */
export function readFaults(flags: FlagsOf<typeof faultFlags>): FaultSettings {
  const given = {
    failure_rate: flags.failureRate,
    statuses: flags.failureStatuses,
    rate_limit_rate: flags.rateLimitRate,
    retry_after: flags.retryAfter,
    latency_ms: flags.latency,
    drop_rate: flags.dropRate,
    malformed_rate: flags.malformedRate,
    targets: flags.faultTargets,
    upload_failure_rate: flags.uploadFailureRate,
    stuck_in: flags.stuckIn,
    expire_after: flags.expireAfter,
  };
  const parsed = faultSettingsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new CliError(
    "--failure-rate, --rate-limit-rate, --drop-rate and --malformed-rate add up to more than 1.",
    exitCodes.unusable,
  );
}
