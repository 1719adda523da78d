import { z } from "zod";
import { countSchema } from "./numbers.ts";

const unitLengths: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The longest time by which a clock is turned forward at once: ten years. */
const longestDuration = 3_650 * 86_400_000;

/** A length of time in words such as `90s`, `10m`, `1h30m` or `2d`, as milliseconds. */
export const durationSchema = z
  .string()
  .max(60)
  .regex(/^(\d+(\.\d+)?(ms|s|m|h|d))+$/, "Expected a duration such as '90s', '10m', '24h' or '1h30m'.")
  .transform(toMilliseconds)
  .refine((milliseconds) => milliseconds <= longestDuration, "The longest duration is 3650d.");

function toMilliseconds(text: string): number {
  let sum = 0;
  for (const [, amount, unit = ""] of text.matchAll(/([\d.]+)([a-z]+)/g))
    sum += Number(amount) * (unitLengths[unit] ?? 0);
  return Math.round(sum);
}

/** The body of `POST /sheaf/clock`. */
export const turnClockSchema = z.strictObject({ advance: durationSchema });

/** What the clock shows. */
export const clockSchema = z.object({
  /** Unix milliseconds. */
  unix_ms: countSchema,
  /** The same for people, in UTC. */
  iso: z.string(),
  /** Seconds of this clock in one of the machine's. */
  speed: z.number(),
});
export type WireClock = z.infer<typeof clockSchema>;
