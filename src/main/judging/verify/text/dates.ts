import { memoize } from "../memoize.ts";
import type { Range, Text } from "../types.ts";

/** A date as far as it is written out. A date is one detail: its parts are not looked up by themselves. */
export interface DateMention extends Range {
  readonly kind: "date";
  readonly year: number | null;
  /** From 1. */
  readonly month: number | null;
  readonly day: number | null;
  /** Whether day and month may also be the other way round: 3/4/2024. */
  readonly isEitherWay: boolean;
}

/** A time of day. */
export interface TimeMention extends Range {
  readonly kind: "time";
  /** Minutes after midnight; two where it is not said which half of the day. */
  readonly minutes: readonly number[];
}

export type When = DateMention | TimeMention;

/** The months of the languages that are known, in the order of the year. */
const months: readonly (readonly string[])[] = [
  "january february march april may june july august september october november december",
  "jan feb mar apr may jun jul aug sep oct nov dec",
  "januar februar märz april mai juni juli august september oktober november dezember",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
].map((names) => names.split(" "));
const monthNumbers: ReadonlyMap<string, number> = new Map([
  ...months.flatMap((names) => names.map((name, at) => [name, at + 1] as const)),
  ["sept", 9],
]);
const english =
  "Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)?|Apr(?:il|\\.)?|May|June?|July?|Aug(?:ust|\\.)?|Sept?(?:ember|\\.)?|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?";
const foreign = [...new Set(months.slice(2).flat())]
  .map((name) => `[${name.charAt(0)}${name.charAt(0).toUpperCase()}]${name.slice(1)}`)
  .join("|");
const month = `(?<!\\p{L})(?:${english}|${foreign})(?!\\p{L})`;
const day = "\\d{1,2}(?:st|nd|rd|th|er|º|°|\\.)?";
/** In two digits only in "3-Apr-26". */
const year = "\\d{4}(?!\\d)|(?<=\\d-\\p{L}{3,9}\\.?-)\\d{2}(?![\\d:])";
const hours = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const atHour = `\\b(?:at|by|until|till) (${hours.join("|")})(?: o['’]clock)?(?=[.,;!?)\\n]|$| (?:sharp|and|on|in the|every|each|tomorrow|tonight)\\b)`;
const of = "(?:of |de |d['’])?";
const through = "(?: ?[-–] ?| (?:to|and|or|bis|und|au|et|al|a|y|e) )";

/** Each alternative has groups of its own. Ranges of days share what follows them: "12 to 14 July". */
const pattern = new RegExp(
  [
    `(?<![\\d.,])(?:(${day})${through})?(?:the )?(${day})[ -]${of}(${month})(?:,?(?: del?)?[ -](${year}))?`,
    `(${month}) (?:the )?(${day})(?![\\d:])(?:${through}(${day})(?![\\d:]))?(?:,? (${year}))?`,
    `(${month}),? (?:of |del? )?(${year})`,
    `(${month})`,
    "(?<!\\d)(\\d{4})(?:-|年)(\\d{1,2})(?:-|月)(\\d{1,2})(?:日|(?!\\d))",
    "(?<![\\d./])(\\d{1,2})([./])(\\d{1,2})[./](\\d{4})(?!\\d)",
    "(?<![\\d:.])(\\d{1,2})(?:[:.](\\d{2}))? ?([ap])\\.?m\\b\\.?",
    "(?<![\\d:.])(\\d{1,2}):(\\d{2})(?!\\d)",
    "(?<![\\d.,$€£:/-])(1\\d{3}|20\\d{2})(?:[-–/]\\d{2})?(?![\\d%]|[.,:]\\d|s\\b)",
    "\\b(noon|midnight)\\b",
    atHour,
  ].join("|"),
  "gu",
);
const hint = new RegExp(`\\d{4}|\\d[:/.]\\d|\\d ?[ap]\\.?m\\b|noon|midnight|${month}|年|${atHour}`, "u");

/** The dates and times of day of a text, in its order. */
export const whensOf: (text: Text) => readonly When[] = memoize(({ text }: Text) => readWhens(text));

function readWhens(text: string): readonly When[] {
  return hint.test(text) ? [...text.matchAll(pattern)].flatMap((match) => readMatch(text, match)) : [];
}

function readMatch(text: string, match: RegExpExecArray): readonly When[] {
  const [whole] = match;
  const [, first, dayA, monthA, yearA, monthB, dayB, lastB, yearB, monthC, yearC, monthD] = match;
  const [isoYear, isoMonth, isoDay, one, mark, two, numericYear] = match.slice(12);
  const [hour, minute, half, hour24, minute24, yearAlone, named, hourWord] = match.slice(19);
  const range = { start: match.index, end: match.index + whole.trimEnd().length };
  if (monthA !== undefined) {
    const days = [first, dayA].flatMap((found) => found ?? []);
    return days.flatMap((found) => toDate(range, yearA, monthNumber(monthA), found));
  }
  if (monthB !== undefined) {
    const days = [dayB, lastB].flatMap((found) => found ?? []);
    return days.flatMap((found) => toDate(range, yearB, monthNumber(monthB), found));
  }
  if (monthC !== undefined) return toDate(range, yearC, monthNumber(monthC), undefined);
  if (monthD !== undefined) {
    return isVerb(text, range) ? [] : toDate(range, undefined, monthNumber(monthD), undefined);
  }
  if (isoYear !== undefined) return toDate(range, isoYear, Number(isoMonth), isoDay);
  if (one !== undefined && two !== undefined) return readNumeric(range, one, two, numericYear, mark);
  if (hour !== undefined) return toTime(range, hour, minute, half);
  if (hour24 !== undefined) return toTime(range, hour24, minute24, undefined);
  if (named !== undefined) return [{ ...range, kind: "time", minutes: [named === "noon" ? 720 : 0] }];
  if (hourWord !== undefined) {
    const minutes = 60 * (hours.indexOf(hourWord) + 1);
    return [{ ...range, kind: "time", minutes: [minutes, (minutes + 720) % 1_440] }];
  }
  return isYear(text, range) ? toDate(range, yearAlone, null, undefined) : [];
}

/** The month that a word names in a language that is known, from 1; null where it names none. */
export function monthNumber(name: string): number | null {
  return monthNumbers.get(name.replace(/\P{L}+$/u, "").toLowerCase()) ?? null;
}

function toDate(
  range: Range,
  year: string | undefined,
  month: number | null,
  day: string | undefined,
): readonly DateMention[] {
  const number = day === undefined ? null : Number.parseInt(day, 10);
  if (number !== null && (number < 1 || number > 31)) return [];
  if (month !== null && !(month >= 1 && month <= 12)) return [];
  const written = year === undefined ? null : Number(year);
  const years = written === null || written > 99 ? written : written + (written < 70 ? 2_000 : 1_900);
  return [{ ...range, kind: "date", year: years, month, day: number, isEitherWay: false }];
}

/** 4.3.2024 is the fourth of March; 3/4/2024 may be either. */
function readNumeric(range: Range, one: string, two: string, year: string | undefined, mark: string | undefined) {
  const [first, second] = [Number(one), Number(two)];
  const isDayFirst = second <= 12 && (mark === "." || first > 12 || first <= 12);
  const [day, month] = isDayFirst ? [one, second] : [two, first];
  const isEitherWay = mark === "/" && first <= 12 && second <= 12;
  return toDate(range, year, month, day).map((date) => ({ ...date, isEitherWay }));
}

function toTime(range: Range, hour: string, minute: string | undefined, half: string | undefined): readonly When[] {
  const [hours, minutes] = [Number(hour), Number(minute ?? 0)];
  if (hours > 24 || minutes > 59) return [];
  const total = hours * 60 + minutes;
  if (half === "a") return [{ ...range, kind: "time", minutes: [total % 720] }];
  if (half === "p") return [{ ...range, kind: "time", minutes: [(total % 720) + 720] }];
  const isUnsure = hours >= 1 && hours < 12 && hour.length === 1;
  return [{ ...range, kind: "time", minutes: isUnsure ? [total, total + 720] : [total % 1_440] }];
}

const beforeMonth =
  /\b(?:in|of|since|until|till|by|from|last|next|this|to|and|early|late|mid|during|before|after|en|de|im|seit|bis|ab)[ -]$/i;

/** "May", "March" and "mai" (Italian for "never") are other words where nothing before them says that a month follows. */
function isVerb(text: string, { start, end }: Range): boolean {
  const name = text.slice(start, end);
  if (!/^(?:May|Mar(?:ch)?|[mM]ars|[mM]ai)$/.test(name)) return false;
  return !beforeMonth.test(text.slice(Math.max(0, start - 8), start));
}

const beforeYear =
  /(?:\b(?:in|since|until|till|by|from|to|year|of|during|after|before|season|summer|winter|spring|autumn|fall|and|im|jahre?|seit|bis|ab|en|em|nel|dal|desde|depuis|early|late|mid|Q[1-4]|quarter|FY|circa|c\.)|[(–/-]) ?$/i;
const counted = /^[ -](?!(?:and|but|the|was|were|with|for|when|until|while|has|had|are)\b)[a-z]{3,}/;

/** Four digits are a year where something before says so, or where they count nothing. */
function isYear(text: string, { start, end }: Range): boolean {
  return beforeYear.test(text.slice(Math.max(0, start - 9), start)) || !counted.test(text.slice(end, end + 8));
}

/** Whether one mention says no more than another: every part that it has is there, too. */
export function isSameWhen(said: When, there: When): boolean {
  if (said.kind === "time") return there.kind === "time" && said.minutes.some((one) => there.minutes.includes(one));
  if (there.kind === "time" || !isSamePart(said.year, there.year)) return false;
  const isSame = isSamePart(said.month, there.month) && isSamePart(said.day, there.day);
  const isTurned = isSamePart(said.month, there.day) && isSamePart(said.day, there.month);
  return isSame || ((said.isEitherWay || there.isEitherWay) && isTurned);
}

function isSamePart(said: number | null, there: number | null): boolean {
  return said === null || said === there;
}

/** Whether two mentions can't be of the same time: a part that both have differs. */
export function differs(said: When, there: When): boolean {
  if (said.kind !== there.kind) return false;
  if (said.kind === "time" || there.kind === "time") return !isSameWhen(said, there);
  if (said.isEitherWay || there.isEitherWay) return false;
  return [
    [said.year, there.year],
    [said.month, there.month],
    [said.day, there.day],
  ].some(([one, other]) => one !== null && other !== null && one !== other);
}
