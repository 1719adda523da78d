import type { DateMention } from "../../text/dates.ts";

export const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** The first whole year of the Gregorian calendar. What is dated before it may follow another. */
const firstYear = 1583;
const millisecondsOfDay = 86_400_000;

/** A date of which every part is known. */
export interface FullDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The full date of a mention; null where it leaves something open, is in doubt, or is before the calendar that we count in. */
export function toFullDate({ year, month, day, isAmbiguous }: DateMention): FullDate | null {
  if (year === null || month === null || day === null || isAmbiguous || year < firstYear) return null;
  return day <= daysInMonth(month, year) ? { year, month, day } : null;
}

/** How many days a month has; the most that it ever has where the year is not known. */
export function daysInMonth(month: number, year: number | null): number {
  if (month === 2) return year === null || isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether a year of the Gregorian calendar has 366 days. */
export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** 0 is Sunday. */
export function weekdayOf({ year, month, day }: FullDate): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** Days from one date to another, negative where the other is earlier. */
export function daysBetween(a: FullDate, b: FullDate): number {
  return Math.round((Date.UTC(b.year, b.month - 1, b.day) - Date.UTC(a.year, a.month - 1, a.day)) / millisecondsOfDay);
}

/** "5 March 2024". */
export function formatDate({ year, month, day }: Pick<DateMention, "year" | "month" | "day">): string {
  const parts = [day, month === null ? null : monthNames[month - 1], year];
  return parts.filter((part) => part !== null).join(" ");
}

/** The name of a month, 1 to 12. */
export function monthName(month: number): string {
  return monthNames[month - 1] ?? "";
}
