import { Chrono, casual } from "chrono-node/en";
import { lazy } from "../lazy.ts";
import type { Range } from "../types.ts";
import { monthPattern } from "./months.ts";
import type { NumberMention } from "./numbers.ts";

/** A date or a part of one that a text mentions, of the Gregorian calendar. Null is what it leaves open. */
export interface DateMention extends Range {
  /** Negative before Christ. */
  readonly year: number | null;
  /** 1 to 12. */
  readonly month: number | null;
  readonly day: number | null;
  /** 0 is Sunday. Only what the text itself names. */
  readonly weekday: number | null;
  /** Whether it is a decade ("the 1920s"), `year` its first. */
  readonly isDecade: boolean;
  /** Whether day and month could also stand the other way around: "03/05/1988". */
  readonly isAmbiguous: boolean;
}

/** A length of time that a text mentions: "twelve years", "90-minute". */
export interface DurationMention extends Range {
  readonly value: number;
  /** "yr", "mo", "wk", "d", "h", "min", "s" and so on, as units.ts names them. */
  readonly unit: string;
  readonly seconds: number;
  /** What its last digit counts. */
  readonly step: number;
}

const names = {
  month: monthPattern,
  weekday: "(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday|sun|mon|tues|tue|wed|thurs|thur|thu|fri|sat)",
};
const month = new RegExp(`\\b${names.month}\\b`, "gi");
const digitsDate = /\b\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b/g;
const weekdayBefore = new RegExp(`\\b(${names.weekday})\\b\\.?,?(?: the| on)? ?$`, "i");
const weekdayAfter = new RegExp(`^,? ?(?:\\(|was an? |is an? |fell on an? |falls on an? )(${names.weekday})\\b`, "i");
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const leadingWord = /^(?:on|at|in|from|the|by|of)\s+(?:the\s+)?/i;

const reference = new Date(Date.UTC(2000, 0, 1, 12));

/** A date in each of the forms that are looked for. */
const forms =
  "5 March 2024\n\nMarch 5, 2024\n\nMarch 2024\n\n2024-03-05\n\n2024/3/5\n\n03/05/2024\n\n5.3.2024\n\n2024 March 5";

/**
 * Only what parsers find, without merging: two dates of a range stay two, and nothing depends on today's date. Those that
 * know none of the forms (they look for "tomorrow" or "two weeks ago") would only cost their time. Made when a text first has
 * what may be a date: to try the parsers takes as long as dozens of verifications.
 */
const parserOfDates = lazy(() => {
  const parsers = casual.parsers.filter((one) => {
    const alone = new Chrono({ parsers: [one], refiners: [] });
    return alone.parse(forms, reference).some(({ start }) => start.isCertain("month"));
  });
  return new Chrono({ parsers, refiners: [] });
});

/** How far around a month's name the parser looks. A date is shorter than this. */
const reach = 32;

/** Most places of one text that the parser is shown, a tenth of a millisecond each. */
const mostHits = 2_000;

/**
 * The dates of a text in their order: with a month's name ("5 March 2024", "March 5th", "March 1925"), in digits
 * ("2024-03-05", "03/05/1988"), a year alone ("in 1925") and decades ("the 1920s"). The parser sees only the
 * neighbourhood of a month's name or of digits in the form of a date, so that other text costs next to nothing.
 */
export function readDates(text: string, numbers: readonly NumberMention[]): readonly DateMention[] {
  const full = dropOverlaps([...findHits(text).take(mostHits)].flatMap((hit) => readAround(text, hit)));
  return [...full, ...readYears(text, numbers, full)].toSorted((a, b) => a.start - b.start);
}

/** The lengths of time among the numbers of a text. */
export function readDurations(numbers: readonly NumberMention[]): readonly DurationMention[] {
  const durations: DurationMention[] = [];
  for (const { start, value, step, unit, kind } of numbers) {
    if (unit?.unit.dimension !== "time" || kind === "ordinal" || value < 0) continue;
    const { name, factor } = unit.unit;
    durations.push({ start, end: unit.end, value, unit: name, seconds: value * factor, step });
  }
  return durations;
}

function* findHits(text: string): Generator<Range> {
  for (const { index, 0: found } of text.matchAll(month)) {
    // In lower case "may" and "march" are verbs, and short names are words or names.
    const isName = found.charAt(0) !== found.charAt(0).toLowerCase() || (found.length > 5 && found !== "march");
    if (isName && hasDigit(text, index - 12, index + found.length + 12))
      yield { start: index, end: index + found.length };
  }
  for (const { index, 0: found } of text.matchAll(digitsDate)) yield { start: index, end: index + found.length };
}

function readAround(text: string, hit: Range): readonly DateMention[] {
  const from = text.lastIndexOf(" ", Math.max(0, hit.start - reach)) + 1;
  const start = hit.start - from > 2 * reach ? hit.start - reach : from;
  const window = text.slice(start, hit.end + reach);
  const found: DateMention[] = [];
  for (const { index, text: words, start: parts } of parserOfDates().parse(window, reference)) {
    // The parser takes a preposition in: "on 3 May".
    const lead = leadingWord.exec(words)?.[0].length ?? 0;
    const range = { start: start + index + lead, end: start + index + words.length };
    if (range.start > hit.start || range.end < hit.end || !parts.isCertain("month")) continue;
    const year = parts.isCertain("year") ? parts.get("year") : null;
    const day = parts.isCertain("day") ? parts.get("day") : null;
    if (year === null && day === null) continue;
    found.push({
      ...range,
      year,
      month: parts.get("month"),
      day,
      weekday: readWeekday(text, range),
      isDecade: false,
      isAmbiguous: isAmbiguous(words.slice(lead), day),
    });
  }
  return found;
}

function isAmbiguous(words: string, day: number | null): boolean {
  return day !== null && day <= 12 && /^\d{1,2}[-/.]\d{1,2}[-/.]/.test(words);
}

/** The weekday that stands before a date, or right after it in the ways a sentence puts it. */
function readWeekday(text: string, { start, end }: Range): number | null {
  const before = weekdayBefore.exec(text.slice(Math.max(0, start - 20), start))?.[1];
  const name = before ?? weekdayAfter.exec(text.slice(end, end + 30))?.[1];
  const found = name === undefined ? -1 : weekdays.indexOf(name.slice(0, 3).toLowerCase());
  return found < 0 ? null : found;
}

/** Of dates that overlap, the longest. */
function dropOverlaps(mentions: readonly DateMention[]): readonly DateMention[] {
  const kept: DateMention[] = [];
  for (const mention of mentions.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || mention.start >= last.end) kept.push(mention);
    else if (mention.end - mention.start > last.end - last.start) kept[kept.length - 1] = mention;
  }
  return kept;
}

const yearCue =
  /(?:\b(?:in|since|by|until|till|from|to|of|year|years|between|and|during|after|before|around|circa|c\.|ca\.|born|died|early|late|mid|through|summer|spring|autumn|fall|winter|season|season's|b\.|d\.|the)|[(–—-]|mid-|\d{4}[–—-]| - )\s?$/i;
const era = /^ ?(BCE|BC|B\.C\.|AD|A\.D\.|CE)\b/;
const pluralAfter = /^ (?:[a-z]+ )?(?:[a-z]{3,}s|people|men|women|children)\b/;

/** Four digits between 1000 and 2100 with a word before or a stop after them that make them a year, or an era. */
function readYears(
  text: string,
  numbers: readonly NumberMention[],
  taken: readonly DateMention[],
): readonly DateMention[] {
  const years: DateMention[] = [];
  let next = 0;
  for (const number of numbers) {
    const { start, end } = number;
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if ((taken[next]?.start ?? Number.POSITIVE_INFINITY) < end) continue;
    const year = yearOf(text, number);
    if (year === null) continue;
    const isDecade = year.end > end && text.charAt(year.end - 1) === "s";
    years.push({
      start,
      end: year.end,
      year: year.value,
      month: null,
      day: null,
      weekday: null,
      isDecade,
      isAmbiguous: false,
    });
  }
  return years;
}

function yearOf(text: string, number: NumberMention): { readonly value: number; readonly end: number } | null {
  const { start, end, value, unit, isPercent, currency, isWord, kind, step } = number;
  if (isPercent || currency !== null || isWord || kind !== "cardinal" || step !== 1 || end - start > 5) return null;
  const after = text.slice(end, end + 24);
  const found = era.exec(after);
  if (found) return { value: found[1]?.startsWith("B") ? -value : value, end: end + found[0].length };
  const size = Math.abs(value);
  // "1925-1937" reads its second year as negative only where nothing stands before the dash.
  if (end - start !== 4 || size < 1_000 || size > 2_100 || unit !== null) return null;
  if (/^'?s\b/.test(after)) return value % 10 === 0 ? { value, end: end + (after.startsWith("'") ? 2 : 1) } : null;
  if (pluralAfter.test(after)) return null;
  const before = text.slice(Math.max(0, start - 12), start);
  if (yearCue.test(before)) return { value, end };
  return size >= 1_500 && /^\s*(?:[,.;:)!?–—-]|$)/.test(after) && !/[#=+*/×÷]\s?$/.test(before) ? { value, end } : null;
}

function hasDigit(text: string, from: number, to: number): boolean {
  for (let at = Math.max(0, from); at < to && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
}
