import { isSameTime, type NumberMention, readClockTimes } from "../../text/index.ts";
import { type Difference, isDifference, readComputed, readDifferences, round } from "./differences.ts";
import type { Evidence } from "./evidence.ts";
import { agrees, isYear, type Manner } from "./numbers.ts";
import { hasNumeral } from "./spellings.ts";

/** What a passage has for numbers that a response puts in another way. */
interface Known {
  readonly text: string;
  readonly numbers: readonly NumberMention[];
  readonly years: ReadonlySet<number>;
  readonly times: ReturnType<typeof readClockTimes>;
  readonly months: ReadonlySet<number>;
  readonly lists: ReadonlySet<number>;
  /** "6 min 35 s" in minutes. */
  readonly compounds: readonly NumberMention[];
  readonly differences: readonly Difference[];
  readonly computed: ReadonlySet<number>;
}

/** So many numbers of a response are looked at twice. */
const mostSaid = 200;

/** Tells whether a number of a response is one of the passage in another form. `at` is its index among the response's. */
export type Following = (text: string, mentions: readonly NumberMention[], at: number, manner: Manner) => boolean;

/** Reads what numbers follow from only when one is asked for that the passage doesn't have as it is. */
export function createFollowing(evidence: Evidence, numbers: readonly NumberMention[]): Following {
  let known: Known | null = null;
  let asked = 0;
  return (text, mentions, at, manner) => {
    const said = mentions[at];
    asked += 1;
    if (!said || asked > mostSaid) return false;
    known ??= readKnown(evidence, numbers);
    return (
      isYearInShort(text, said, known) ||
      isYearInWords(mentions, at, known) ||
      isHour(text, said, known) ||
      isPartOfDate(text, said, known) ||
      isShare(text, said, known) ||
      isCentury(text, said, known) ||
      isDecimalComma(text, said, known) ||
      isLength(readCompounds(text, mentions.slice(Math.max(0, at - 1), at + 2)), said, known) ||
      isOfOthers(said, evidence, known) ||
      isDecade(text, said, known) ||
      isScaled(text, said, known) ||
      isCount(said, known) ||
      isAge(text, said, evidence, known) ||
      isPeriod(said, known) ||
      hasNumeral(evidence, said.isWord ? text.slice(said.start, said.end) : "") ||
      isMeasuredOtherwise(said, known) ||
      known.compounds.some((compound) => agrees(said, manner, compound)) ||
      isDifference(said, known.differences) ||
      known.computed.has(round(said.value))
    );
  };
}

function readKnown(evidence: Evidence, numbers: readonly NumberMention[]): Known {
  const { text } = evidence.source.text;
  return {
    text,
    numbers,
    years: new Set([...numbers.filter(isYear).map(({ value }) => value), ...readYearEnds(text, numbers)]),
    times: readClockTimes(text),
    months: readMonths(evidence),
    lists: readLists(evidence),
    compounds: readCompounds(text, numbers),
    differences: readDifferences(text, numbers),
    computed: readComputed(evidence.asked, numbers),
  };
}

/** 1973 of "1970-73" and "1970/73". */
function readYearEnds(text: string, numbers: readonly NumberMention[]): readonly number[] {
  return numbers.flatMap((year) => {
    const end = isYear(year) ? /^[-–—/](\d\d)(?!\d)/.exec(text.slice(year.end, year.end + 4))?.[1] : undefined;
    return end === undefined ? [] : [Math.floor(year.value / 100) * 100 + Number(end)];
  });
}

const months = "january february march april may june july august september october november december".split(" ");

function readMonths({ positions, forms }: Evidence): ReadonlySet<number> {
  const isThere = (name: string): boolean => positions.has(name) || forms.has(name);
  return new Set(months.flatMap((name, at) => (isThere(name) || isThere(name.slice(0, 3)) ? [at + 1] : [])));
}

const longestItem = 5;
const mostItems = 12;

/** How many items the rows of the passage have: 3 for "in 1988, 1990 and 1991". */
function readLists({ sentences, source }: Evidence): ReadonlySet<number> {
  const { text } = source.text;
  const sizes = new Set<number>();
  for (const words of sentences.values()) {
    let [items, last] = [1, 0];
    for (let at = 1; at < words.length; at += 1) {
      const [previous, word] = [words[at - 1], words[at]];
      if (!previous || !word) break;
      const isComma = text.slice(previous.end, word.start).includes(",");
      if (at - last > longestItem) [items, last] = [1, at];
      if (word.norm === "and" || word.norm === "or") {
        if (items < mostItems) sizes.add(items + 1);
        [items, last] = [1, at];
      } else if (isComma) [items, last] = [items + 1, at];
    }
  }
  return sizes;
}

function readCompounds(text: string, numbers: readonly NumberMention[]): readonly NumberMention[] {
  return numbers.flatMap((big, at) => {
    const small = numbers[at + 1];
    const [a, b] = [big.unit?.unit, small?.unit?.unit];
    if (!small || !a || !b || a.dimension !== b.dimension || b.factor >= a.factor) return [];
    if (text.slice(big.unit?.end ?? 0, small.start).trim().length > 3) return [];
    return [{ ...big, value: big.value + (small.value * b.factor) / a.factor, step: 0 }];
  });
}

/** "'39" and the end of "1970-73". */
function isYearInShort(text: string, { start, end, value, step, unit }: NumberMention, { years }: Known): boolean {
  if (years.has(value) && unit === null) return true;
  const before = text.slice(Math.max(0, start - 5), start);
  const isShort = step === 1 && value >= 0 && value < 100 && end - start === 2;
  return isShort && /['’‘]$|\d{4}[-–—/]$/.test(before) && [...years].some((year) => year % 100 === value);
}

/** "nineteen sixty". */
function isYearInWords(mentions: readonly NumberMention[], at: number, { years }: Known): boolean {
  return [at - 1, at].some((index) => {
    const [century, year] = [mentions[index], mentions[index + 1]];
    const isPair = century?.isWord === true && year?.isWord === true && year.start === century.end + 1;
    return isPair && years.has(century.value * 100 + year.value);
  });
}

/** "Half past ten", "4 pm", "7.58 in the morning", where the passage has the time in digits. */
function isHour(text: string, { start, end, value, kind }: NumberMention, { times }: Known): boolean {
  if (times.length === 0 || kind === "ordinal" || value < 0 || value > 24) return false;
  const after = text.slice(end, end + 20);
  const before = text.slice(Math.max(0, start - 14), start);
  const minutes = Math.round((value % 1) * 100);
  const hours = Math.floor(value);
  if (minutes > 0)
    return (
      minutes < 60 && times.some((time) => isSameTime(time, { start, end, minutes: hours * 60 + minutes, half: null }))
    );
  const isTold = /^\s?([ap]\.?m\b|o['’]?clock|in the (morning|afternoon|evening)|at night|sharp)/i.test(after);
  const isPast = /\b(past|after) $/i.test(before);
  const isTo = /\bto $/i.test(before) && /\b(quarter|minutes|five|ten|twenty)\b/i.test(before);
  if (!isTold && !isPast && !isTo) return false;
  return times.some((time) => Math.floor(time.minutes / 60 + (isTo ? 1 : 0)) % 12 === hours % 12);
}

/** The parts of "31/01", "09/1870" and "970/972": days and months of dates, and numbers side by side. */
function isPartOfDate(text: string, { start, end }: NumberMention, { months: named, numbers }: Known): boolean {
  const written = text.slice(Math.max(0, start - 5), end + 5);
  const parts = /(?<!\d)(\d{1,4})[/.-](\d{1,4})(?!\d)/.exec(written);
  if (!parts) return false;
  return parts.slice(1).every((part) => named.has(Number(part)) || numbers.some(({ value }) => value === Number(part)));
}

/** "A fifth of it" is 20%, and two thirds are what a third leaves. */
function isShare(text: string, said: NumberMention, { numbers }: Known): boolean {
  const isPart =
    said.kind === "ordinal" && /\b(a|an|one)\s$/i.test(text.slice(Math.max(0, said.start - 5), said.start));
  const share = isPart ? 1 / said.value : shareOf(said);
  if (share === null) return false;
  return numbers.some((number) => {
    const other = shareOf(number);
    return other !== null && (Math.abs(other - share) < 0.01 || Math.abs(1 - other - share) < 0.01);
  });
}

function shareOf({ kind, value, isPercent }: NumberMention): number | null {
  if (isPercent) return value / 100;
  return kind === "fraction" && value < 1 ? value : null;
}

const scales: ReadonlyMap<string, number> = new Map([
  ["hundred", 1e2],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
]);

/** "Fourteen and a half thousand", and "2.418" where a dot parts the thousands. */
function isScaled(text: string, { end, value, step }: NumberMention, { numbers }: Known): boolean {
  const word = /^[\s-](hundred|thousand|million|billion)\b/i.exec(text.slice(end, end + 10))?.[1];
  const scale = word === undefined ? (step === 0.001 ? 1_000 : 1) : (scales.get(word.toLowerCase()) ?? 1);
  return scale > 1 && numbers.some((number) => Math.abs(number.value - value * scale) < 1e-6 * scale);
}

/** "The 1980s" of 1987. */
function isDecade(text: string, { end, value }: NumberMention, { years }: Known): boolean {
  if (value % 10 !== 0 || value < 1_000 || text.charAt(end) !== "s") return false;
  return [...years].some((year) => Math.floor(year / 10) * 10 === value);
}

/** "The 1400s" is the 15th century. */
function isCentury(
  text: string,
  { end, value, kind }: NumberMention,
  { numbers, text: passage, years }: Known,
): boolean {
  if (kind === "ordinal") {
    return (
      /^ ?centur|^[\s.]*$/.test(text.slice(end, end + 8)) && [...years].some((year) => Math.ceil(year / 100) === value)
    );
  }
  if (value % 100 !== 0 || value < 100 || text.charAt(end) !== "s") return false;
  if ([...years].some((year) => Math.floor(year / 100) * 100 === value)) return true;
  return numbers.some(
    (number) =>
      number.kind === "ordinal" &&
      number.value === value / 100 + 1 &&
      /^.{0,24}centur/.test(passage.slice(number.end, number.end + 34)),
  );
}

/** "17,5" for 17.5: both of its numbers. */
function isDecimalComma(text: string, { start, end }: NumberMention, { numbers }: Known): boolean {
  const written = /(\d{1,6}),(\d{1,2})(?!\d)/.exec(text.slice(Math.max(0, start - 7), end + 4));
  return written !== null && numbers.some(({ value }) => value === Number(`${written[1]}.${written[2]}`));
}

/** "4½ hours" for "from 14:00 to 18:30", and "3 hours 30 minutes" for 3.5 hours. */
function isLength(compounds: readonly NumberMention[], said: NumberMention, { numbers, times }: Known): boolean {
  if (said.unit?.unit.dimension !== "time") return false;
  const own = compounds.filter(({ start }) => start <= said.start);
  return [said, ...own].some((length) => {
    const minutes = (length.value * (length.unit?.unit.factor ?? 0)) / 60;
    if (times.length <= mostTimes && times.some((a) => times.some((b) => a.minutes - b.minutes === minutes)))
      return true;
    return length !== said && numbers.some((number) => agrees(length, "exact", number));
  });
}

const mostTimes = 60;

/** "How many siblings …?" of the third of six children: five. */
function isOfOthers({ value, kind }: NumberMention, { asked }: Evidence, { numbers }: Known): boolean {
  const isAsked = ["siblings", "others", "other", "brothers", "sisters", "else", "besides"].some((word) =>
    asked.has(`=${word}`),
  );
  return isAsked && kind === "cardinal" && numbers.some((number) => number.value === value + 1);
}

/** Three, where the passage has a row of three. */
function isCount({ value, unit, currency, isPercent, kind }: NumberMention, { lists }: Known): boolean {
  return kind === "cardinal" && unit === null && currency === null && !isPercent && lists.has(value);
}

const speaksOfAge = /\b(age|aged|old|died|death|lived|turned|year|years)\b/i;

/** An age, told by two years, where it is asked for or spoken of. */
function isAge(text: string, said: NumberMention, { asked }: Evidence, { differences }: Known): boolean {
  if (said.kind !== "cardinal" || said.value > 130 || isYear(said)) return false;
  const isAsked = asked.has("=old") || asked.has("=age") || asked.has("=long") || asked.has("=years");
  if (!isAsked && !speaksOfAge.test(text.slice(Math.max(0, said.start - 40), said.end + 40))) return false;
  return differences.some(({ span, value }) => span !== null && (value === said.value || value - 1 === said.value));
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
function isPeriod({ value, unit }: NumberMention, { numbers, text }: Known): boolean {
  if (unit?.unit.dimension !== "time") return false;
  const length = value * unit.unit.factor;
  // Ten working days are two weeks.
  if (/\b(working|business) days\b/i.test(text) && numbers.some((number) => isWorkingTime(number, length))) return true;
  return periods.some(([pattern, name]) => {
    const full = seconds.get(name) ?? 0;
    return Math.abs(length - full) <= full * 0.02 && pattern.test(text);
  });
}

/** "−155 m" for "155 m below", and "km²" for "km2". */
function isMeasuredOtherwise({ value, step }: NumberMention, { numbers, text }: Known): boolean {
  if (value < 0)
    return numbers.some((number) => number.value === -value) && /\b(below|minus|under|beneath)\b/i.test(text);
  return step < 1 && step > 0 && numbers.some((number) => number.value === value && number.step === step);
}
