import type { Range } from "../types.ts";

/** A time of day that a text mentions. */
export interface ClockTime extends Range {
  /** Minutes after midnight; of a time without "am" or "pm", as it is written. */
  readonly minutes: number;
  readonly half: "am" | "pm" | null;
}

const time = /\b(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?m\b|\b(\d{1,2}):(\d{2})\b/gi;

/** The times of day of a text: "5:53am", "9 p.m.", "17:30". */
export function readClockTimes(text: string): readonly ClockTime[] {
  return [...text.matchAll(time)].flatMap(
    ({ index, 0: found, 1: hour, 2: minute, 3: half, 4: hour24, 5: minute24 }) => {
      const value = Number(hour ?? hour24) * 60 + Number(minute ?? minute24 ?? 0);
      const isTime = Number(hour ?? hour24) <= 24 && Number(minute ?? minute24 ?? 0) < 60;
      const range = { start: index, end: index + found.length };
      return isTime
        ? [{ ...range, minutes: value, half: half ? (half.toLowerCase() === "a" ? "am" : "pm") : null }]
        : [];
    },
  );
}

/** Whether two times may be the same one. */
export function isSameTime(a: ClockTime, b: ClockTime): boolean {
  return inDay(a).some((minutes) => inDay(b).includes(minutes));
}

function inDay({ minutes, half }: ClockTime): readonly number[] {
  const early = minutes % 720;
  if (half === "am") return [early];
  if (half === "pm") return [early + 720];
  return minutes < 780 ? [minutes % 1440, early, early + 720] : [minutes];
}
