import type { Command } from "commander";
import { z } from "zod";

/** The message of each flag's schema names what it expects, so that it can end a sentence. */
export const wholeNumber = (least: number, most: number) => {
  const expected = `a whole number from ${least} to ${most}`;
  return z
    .string(expected)
    .regex(/^\d{1,16}$/, expected)
    .transform(Number)
    .refine((value) => value >= least && value <= most, expected);
};

const shareExpected = "a share from 0 to 1, such as 0.05";

/** A share of all requests. */
export const share = z
  .string(shareExpected)
  .regex(/^(0|1|0?\.\d{1,9}|0\.\d{1,9}|1\.0+)$/, shareExpected)
  .transform(Number);

export const path = z.string().min(1, "a path");
export const flag = z.boolean().default(false);

/** Several values with commas between them. */
export function listOf<T extends z.ZodType<unknown, string>>(item: T, expected: string) {
  return z
    .string(expected)
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(item, expected).min(1, expected));
}

/** Which models requests may name. */
export const modelFlags = { models: path.optional(), anyModel: flag };

/** The flag of the commands that check requests. */
export function withModels(command: Command): Command {
  return command
    .option("--models <FILE>", "models that requests may name, YAML or JSON (default: the built-in four)")
    .option("--any-model", "take every other name of a model, too");
}

/** The tier whose limits apply. */
export const tierFlags = {
  tier: z.literal(["free", "standard"], "free or standard").default("standard"),
};

/** Whether direct calls are limited to the rates of the tier, and what uploads are limited to. */
export const serverLimitFlags = {
  rateLimit: z.boolean().default(true),
  maxFileBytes: wholeNumber(1, 100_000_000_000).optional(),
  maxLines: wholeNumber(1, 10_000_000).optional(),
  maxLineBytes: wholeNumber(1, 256_000_000).optional(),
};

const keepExpected = "an age such as 12h, 30d or 8w";
const sizeExpected = "a size such as 500mb, 20gb or 1.5tb";
const hour = 60 * 60_000;
const units = { h: hour, d: 24 * hour, w: 7 * 24 * hour, mb: 1e6, gb: 1e9, tb: 1e12 } as const;

/** A number and its unit, as milliseconds or bytes. */
const quantity = (form: RegExp, expected: string) =>
  z.string(expected).transform((text, { addIssue }) => {
    const { number = "0", unit = "h" } = form.exec(text.toLowerCase())?.groups ?? {};
    const value = Number(number) * (units[unit as keyof typeof units] ?? 0);
    if (value === 0) addIssue(expected);
    return value;
  });

/** How much is kept of what has ended: an age in milliseconds, and bytes. */
export const keepFlags = {
  keep: quantity(/^(?<number>\d{1,5})(?<unit>[hdw])$/, keepExpected).optional(),
  keepSize: quantity(/^(?<number>\d{1,6}(\.\d{1,3})?)(?<unit>[mgt]b)$/, sizeExpected).optional(),
};

/** The flags of commands that check a file: the limits of context and output apply. */
export function withTier(command: Command): Command {
  return command.option("--tier <NAME>", "free or standard: most tokens of prompt and answer (default: standard)");
}

/** A server has limits of direct calls and uploads, too. */
export function withServerLimits(command: Command): Command {
  return command
    .option("--tier <NAME>", "free or standard: the limits that hold, and the priority of batches (default: standard)")
    .option("--no-rate-limit", "lift the limits of direct calls: requests per minute, and at a time")
    .option("--max-file-bytes <N>", "largest upload (default: 200000000)")
    .option("--max-lines <N>", "most requests of a batch (default: 50000)")
    .option("--max-line-bytes <N>", "largest request of a batch (default: 16000000)");
}
