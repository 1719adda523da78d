import { isSameTime, type NumberMention } from "../../../text/index.ts";
import type { Evidence } from "../evidence.ts";
import { agrees, isYear } from "../numbers.ts";
import type { Passage } from "../passage.ts";
import { differencesOf } from "./differences.ts";
import { monthsOf, timesOf, yearsOf } from "./read-known.ts";

/** "'39" and the end of "1970-73". */
export function isYearInShort(
  text: string,
  { start, end, value, step, unit }: NumberMention,
  passage: Passage,
): boolean {
  const years = yearsOf(passage);
  if (years.has(value) && unit === null) return true;
  const before = text.slice(Math.max(0, start - 5), start);
  const isShort = step === 1 && value >= 0 && value < 100 && end - start === 2;
  return isShort && /['’‘]$|\d{4}[-–—/]$/.test(before) && [...years].some((year) => year % 100 === value);
}

/** "nineteen sixty". */
export function isYearInWords(mentions: readonly NumberMention[], at: number, passage: Passage): boolean {
  return [at - 1, at].some((index) => {
    const [century, year] = [mentions[index], mentions[index + 1]];
    const isPair = century?.isWord === true && year?.isWord === true && year.start === century.end + 1;
    return isPair && yearsOf(passage).has(century.value * 100 + year.value);
  });
}

/** "Half past ten", "4 pm", "7.58 in the morning", where the passage has the time in digits. */
export function isHour(text: string, { start, end, value, kind }: NumberMention, passage: Passage): boolean {
  if (kind === "ordinal" || value < 0 || value > 24) return false;
  const times = timesOf(passage);
  if (times.length === 0) return false;
  const after = text.slice(end, end + 20);
  const before = text.slice(Math.max(0, start - 14), start);
  const minutes = Math.round((value % 1) * 100);
  const hours = Math.floor(value);
  if (minutes > 0)
    return (
      minutes < 60 && times.some((time) => isSameTime(time, { start, end, minutes: hours * 60 + minutes, half: null }))
    );
  const digits = text.slice(start, end);
  if (/^\d\d\.?00$/.test(digits) || /^h\b/.test(after))
    return times.some((time) => isSameTime(time, { start, end, minutes: hours * 60, half: null }));
  const isTold =
    /^\s?([ap]\.?m\b|o['’]?clock|in the (morning|afternoon|evening)|at night|sharp)/i.test(after) ||
    (/\bat $/i.test(before) && /^(?:[.,;!?]|$)/.test(after));
  const isPast = /\b(past|after) $/i.test(before);
  const isTo = /\bto $/i.test(before) && /\b(quarter|minutes|five|ten|twenty)\b/i.test(before);
  if (!isTold && !isPast && !isTo) return false;
  return times.some((time) => Math.floor(time.minutes / 60 + (isTo ? 1 : 0)) % 12 === hours % 12);
}

/** The parts of "31/01", "09/1870" and "970/972": days and months of dates, and numbers side by side. */
export function isPartOfDate(text: string, { start, end }: NumberMention, passage: Passage): boolean {
  const written = text.slice(Math.max(0, start - 5), end + 5);
  const parts = /(?<!\d)(\d{1,4})[/.-](\d{1,4})(?!\d)/.exec(written);
  if (!parts) return false;
  const named = monthsOf(passage);
  return parts
    .slice(1)
    .every((part) => named.has(Number(part)) || passage.numbers.some(({ value }) => value === Number(part)));
}

/** "The 1980s" of 1987. */
export function isDecade(text: string, { end, value }: NumberMention, passage: Passage): boolean {
  if (value % 10 !== 0 || value < 1_000 || text.charAt(end) !== "s") return false;
  return [...yearsOf(passage)].some((year) => Math.floor(year / 10) * 10 === value);
}

/** "The 1400s" is the 15th century. */
export function isCentury(text: string, { end, value, kind }: NumberMention, passage: Passage): boolean {
  if (kind === "ordinal") {
    return (
      /^ ?centur|^[\s.]*$/.test(text.slice(end, end + 8)) &&
      [...yearsOf(passage)].some((year) => Math.ceil(year / 100) === value)
    );
  }
  if (value % 100 !== 0 || value < 100 || text.charAt(end) !== "s") return false;
  if ([...yearsOf(passage)].some((year) => Math.floor(year / 100) * 100 === value)) return true;
  return passage.numbers.some(
    (number) =>
      number.kind === "ordinal" &&
      number.value === value / 100 + 1 &&
      /^.{0,24}centur/.test(passage.text.text.slice(number.end, number.end + 34)),
  );
}

/** "4½ hours" for "from 14:00 to 18:30", and "3 hours 30 minutes" for 3.5 hours. */
export function isLength(compounds: readonly NumberMention[], said: NumberMention, passage: Passage): boolean {
  if (said.unit?.unit.dimension !== "time") return false;
  const times = timesOf(passage);
  const own = compounds.filter(({ start }) => start <= said.start);
  return [said, ...own].some((length) => {
    const minutes = (length.value * (length.unit?.unit.factor ?? 0)) / 60;
    if (times.length <= mostTimes && times.some((a) => times.some((b) => a.minutes - b.minutes === minutes)))
      return true;
    return length !== said && passage.numbers.some((number) => agrees(length, "exact", number));
  });
}

const mostTimes = 60;

const speaksOfAge = /\b(age|aged|old|died|death|lived|turned|year|years)\b/i;

/** An age, told by two years, where it is asked for or spoken of. */
export function isAge(text: string, said: NumberMention, { asked }: Evidence, passage: Passage): boolean {
  if (said.kind !== "cardinal" || said.value > 130 || isYear(said)) return false;
  const isAsked = asked.has("=old") || asked.has("=age") || asked.has("=long") || asked.has("=years");
  if (!isAsked && !speaksOfAge.test(text.slice(Math.max(0, said.start - 40), said.end + 40))) return false;
  return differencesOf(passage).some(
    ({ span, value }) => span !== null && (value === said.value || value - 1 === said.value),
  );
}

const periods: readonly (readonly [RegExp, string])[] = [
  [/\b(hourly|every hour|an hour|per hour)\b/i, "h"],
  [/\b(daily|every day|a day|per day)\b/i, "d"],
  [/\b(weekly|every week|a week|per week)\b/i, "wk"],
  [/\b(fortnightly|every fortnight)\b/i, "fortnight"],
  [/\b(monthly|every month|a month|per month)\b/i, "mo"],
  [/\b(yearly|annual|annually|every year|a year|per year)\b/i, "yr"],
];
const seconds: ReadonlyMap<string, number> = new Map([
  ["h", 3_600],
  ["d", 86_400],
  ["wk", 604_800],
  ["fortnight", 1_209_600],
  ["mo", 2_629_746],
  ["yr", 31_556_952],
]);

function isWorkingTime({ value, unit }: NumberMention, length: number): boolean {
  const days = length / 86_400;
  return (unit === null || unit.unit.name === "d") && value * 7 === days * 5;
}

/** "Every 60 minutes" is hourly. */
export function isPeriod({ value, unit }: NumberMention, { numbers, text: { text } }: Passage): boolean {
  if (unit?.unit.dimension !== "time") return false;
  const length = value * unit.unit.factor;
  // Ten working days are two weeks.
  if (/\b(working|business) days\b/i.test(text) && numbers.some((number) => isWorkingTime(number, length))) return true;
  return periods.some(([pattern, name]) => {
    const full = seconds.get(name) ?? 0;
    return Math.abs(length - full) <= full * 0.02 && pattern.test(text);
  });
}
