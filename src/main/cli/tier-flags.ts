import type { Command } from "commander";
import { z } from "zod";

/** Whose limits hold. */
export const tierFlags = {
  tier: z.literal(["free", "standard"], "free or standard").default("standard"),
};

/** Whether direct calls are held to the tier's rates. */
export const rateFlags = {
  rateLimit: z.boolean().default(true),
};

/** The limits of context and output hold wherever a file is checked. */
export function withTier(command: Command): Command {
  return command.option("--tier <NAME>", "free or standard: most tokens of prompt and answer (default: standard)");
}

/** A server has limits of direct calls, too. */
export function withTierAndRates(command: Command): Command {
  return command
    .option("--tier <NAME>", "free or standard: the limits that hold, and the priority of batches (default: standard)")
    .option("--no-rate-limit", "lift the limits of direct calls: requests per minute, and at a time");
}
