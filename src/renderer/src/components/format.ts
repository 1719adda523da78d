import { formatNumber } from "#contract";

/** The language of numbers and dates is that of the app's texts, so that a sentence does not mix two. */
const language = "en";

const fine = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
const hundredths = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const rough = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
const short = new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 });
const percentage = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const part = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(language, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});
const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
const exact = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** `0.9M`: for estimates. */
export function formatCompact(value: number): string {
  return short.format(value);
}

/** A share from 0 to 1 as `62%`; never `100%` before all of it is done. */
export function formatShare(share: number): string {
  return percentage.format(share < 1 ? Math.floor(share * 100) / 100 : 1);
}

/** A part of a whole as `12.5%`: parts that make up the whole are to add up on screen, too. */
export function formatPart(share: number): string {
  return part.format(share);
}

/** Milliseconds for people: `12 ms`, `0.82 s`, `5.9 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 99.5) return `${formatNumber(milliseconds)} ms`;
  if (milliseconds < 9_950) return `${rough.format(milliseconds / second)} s`;
  if (milliseconds < minute - 500) return `${formatNumber(milliseconds / second)} s`;
  if (milliseconds < hour - 500) return join(milliseconds, minute, "min", second, "s");
  return join(milliseconds, hour, "h", minute, "min");
}

/** How long something will still take: never finer than a second, which no forecast is. */
export function formatTimeLeft(milliseconds: number): string {
  return formatDuration(Math.max(1, Math.ceil(milliseconds / second)) * second);
}

/** How long an answer took, for a column: always two decimals of a second from 0.10 s to 100 s, as `0.60 s`. */
export function formatLatency(milliseconds: number): string {
  return milliseconds >= 99.5 && milliseconds < 99_995
    ? `${hundredths.format(milliseconds / second)} s`
    : formatDuration(milliseconds);
}

/** How long an answer took, in milliseconds, as far as its column shows it: `604.3` is shown as `0.60 s`, and is 600. */
export function roundLatency(milliseconds: number): number {
  const step = milliseconds < 99.5 ? 1 : milliseconds < 99_995 ? 10 : second;
  return Math.round(milliseconds / step) * step;
}

function join(milliseconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const smalls = Math.round(milliseconds / small);
  const perLarge = large / small;
  const rest = smalls % perLarge;
  const head = `${formatNumber(Math.floor(smalls / perLarge))} ${largeName}`;
  return rest === 0 ? head : `${head} ${rest} ${smallName}`;
}

/** Lines (or anything else) a second: `94`, `2.4`. */
export function formatRate(perSecond: number): string {
  return perSecond >= 99.5 ? formatNumber(perSecond) : fine.format(Math.round(perSecond * 10) / 10);
}

/** `12:04:01`. */
export function formatClock(time: number): string {
  return clock.format(time);
}

/** The time in full, for a tooltip. */
export function formatExactTime(time: number): string {
  return exact.format(time);
}

/** A time seen from `now`: `just now`, `4 minutes ago`, `in 3 hours`, `yesterday`, `12 Mar`. */
export function formatRelativeTime(time: number, now: number): string {
  const ahead = time - now;
  const distance = Math.abs(ahead);
  if (distance < minute) return "just now";
  if (distance < hour) return relative.format(Math.trunc(ahead / minute), "minute");
  const days = countMidnights(now, time);
  if (days === 0) return relative.format(Math.trunc(ahead / hour), "hour");
  if (Math.abs(days) < 7) return relative.format(days, "day");
  return new Date(time).getFullYear() === new Date(now).getFullYear() ? day.format(time) : dayOfYear.format(time);
}

function countMidnights(from: number, to: number): number {
  const start = new Date(from).setHours(0, 0, 0, 0);
  const end = new Date(to).setHours(0, 0, 0, 0);
  return Math.round((end - start) / (24 * hour));
}
