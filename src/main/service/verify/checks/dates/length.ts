import type { DurationMention } from "../../text/dates.ts";
import { formatNumberWord } from "./number-word.ts";

/** The time between two dates. */
export interface Length {
  readonly days: number;
  readonly years: number;
  /** Whether days are known, or only years. */
  readonly isExact: boolean;
}

const daysOf: Readonly<Record<string, number>> = {
  d: 1,
  wk: 7,
  mo: 30.436875,
  yr: 365.2425,
  decade: 3_652.425,
  century: 36_524.25,
};

/**
 * Whether a length of time that is said can be that of a period. Both ways of counting its ends are right, and years
 * alone leave one more or less open. Null where it can't be told.
 */
export function fits(duration: DurationMention, length: Length, isVague: boolean): boolean | null {
  const unitDays = daysOf[duration.unit];
  if (unitDays === undefined) return null;
  if (!length.isExact && unitDays < 365) return null;
  const real = length.isExact && duration.unit !== "yr" ? length.days / unitDays : length.years * (365.2425 / unitDays);
  const slack = length.isExact
    ? duration.unit === "d"
      ? 1
      : duration.unit === "mo"
        ? 1.05
        : 1
    : Math.max(1, 365.2425 / unitDays);
  const vagueness = isVague ? Math.max(2, 0.15 * duration.value) : 0;
  return Math.abs(real - duration.value) <= slack + vagueness + 1e-9;
}

/** "twelve years", in the unit that was said. */
export function describeLength(length: Length, unit: string): string {
  if (unit === "d" || (length.isExact && unit === "wk")) return countOf(length.days, "day");
  if (unit === "mo") return countOf(Math.round(length.days / 30.436875), "month");
  return countOf(Math.floor(length.years + 0.01), "year");
}

function countOf(count: number, one: string): string {
  return `${formatNumberWord(count)} ${one}${count === 1 ? "" : "s"}`;
}
