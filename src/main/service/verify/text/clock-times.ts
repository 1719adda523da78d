import type { Range } from "../types.ts";

/** A time of day that a text mentions. */
export interface ClockTime extends Range {
  /** Minutes after midnight; of a time without "am" or "pm", as it is written. */
  readonly minutes: number;
  readonly half: "am" | "pm" | null;
}

const time = /\b(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?m\b|\b(\d{1,2}):(\d{2})\b/gi;
/** "7 to 10 a.m.", where the first goes without its half of the day. */
const opening = /\b(\d{1,2})(?:[:.](\d{2}))?\s?(?:to|and|until|till|-|–)\s?\d{1,2}(?:[:.]\d{2})?\s?[ap]\.?m\b/gi;

/** What stands in each of them. */
const hint = /\d(?::\d|\s?[ap]\.?m\b)/i;

/** The times of day of a text: "5:53am", "9 p.m.", "17:30", both of "7 to 10 a.m.". */
export function readClockTimes(text: string): readonly ClockTime[] {
  if (!hint.test(text)) return [];
  const opened = [...text.matchAll(opening)].flatMap(({ index, 1: hour = "", 2: minute }) => {
    const end = index + hour.length + (minute === undefined ? 0 : minute.length + 1);
    return toTime({ start: index, end }, hour, minute, null);
  });
  const full = [...text.matchAll(time)].flatMap(
    ({ index, 0: found, 1: hour, 2: minute, 3: half, 4: hour24, 5: minute24 }) =>
      toTime({ start: index, end: index + found.length }, hour ?? hour24 ?? "", minute ?? minute24, half ?? null),
  );
  return [...opened, ...full];
}

function toTime(range: Range, hour: string, minute: string | undefined, half: string | null): readonly ClockTime[] {
  const [hours, minutes] = [Number(hour), Number(minute ?? 0)];
  if (hours > 24 || minutes >= 60) return [];
  return [
    { ...range, minutes: hours * 60 + minutes, half: half === null ? null : half.toLowerCase() === "a" ? "am" : "pm" },
  ];
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
