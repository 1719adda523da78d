import type { Command } from "commander";
import { z } from "zod";
import { type FaultSettings, faultSettingsSchema, faultTargets, stickyStatuses } from "#contract";
import { CliError, exitCodes } from "./cli-error.ts";
import { listOf, share, wholeNumber } from "./common-flags.ts";

const statusesExpected = "statuses from 400 to 599, such as 500,503";
const targetsExpected = `some of ${faultTargets.join(",")}`;
const stickyExpected = `some of ${stickyStatuses.join(",")}`;

/** The faults that are injected from the start. */
export const faultFlags = {
  failureRate: share.optional(),
  failureStatuses: listOf(
    z
      .string()
      .regex(/^[45]\d\d$/, statusesExpected)
      .transform(Number),
    statusesExpected,
  ).optional(),
  rateLimitRate: share.optional(),
  retryAfter: wholeNumber(0, 3_600).optional(),
  latency: wholeNumber(0, 600_000).optional(),
  dropRate: share.optional(),
  malformedRate: share.optional(),
  faultTargets: listOf(z.enum(faultTargets, targetsExpected), targetsExpected).optional(),
  uploadFailureRate: share.optional(),
  stuckIn: listOf(z.enum(stickyStatuses, stickyExpected), stickyExpected).optional(),
  expireAfter: wholeNumber(0, 1_000_000).optional(),
};

const fields = z.object(faultFlags);

export function withFaults(command: Command): Command {
  return command
    .optionsGroup("Faults (also while it runs, at /sheaf/faults):")
    .option("--failure-rate <SHARE>", "share of requests that fail, such as 0.05")
    .option("--failure-statuses <LIST>", "the statuses they fail with (default: 500)")
    .option("--rate-limit-rate <SHARE>", "share of requests answered with 429")
    .option("--retry-after <SECONDS>", "what a 429 asks to wait (default: 1)")
    .option("--latency <MS>", "milliseconds added to every request")
    .option("--drop-rate <SHARE>", "share of answers whose connection is cut in the middle")
    .option("--malformed-rate <SHARE>", "share of answers with half of their JSON")
    .option("--fault-targets <LIST>", `what these act on: ${faultTargets.join(",")} (default: lines,chat)`)
    .option("--upload-failure-rate <SHARE>", "share of uploads that are refused")
    .option("--stuck-in <LIST>", `statuses that batches stay in: ${stickyStatuses.join(",")}`)
    .option("--expire-after <LINES>", "batches expire once so many lines are answered")
    .optionsGroup("Options:");
}

/** The settings that the flags ask for. Fails when they don't go together. */
export function readFaults(flags: z.infer<typeof fields>): FaultSettings {
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
