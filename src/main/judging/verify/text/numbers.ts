import { memoize } from "../memoize.ts";
import type { Range, Text } from "../types.ts";
import { isDigit, type NumberHabit, readDigits, readHabit, readVulgarFraction } from "./digits.ts";
import { languageOf } from "./language.ts";
import { endOfLetters, mayBeginNumber, readWordNumber } from "./number-words.ts";
import { type Rate, readRate } from "./rates.ts";
import { findScaleWord, readSigns, type ScaleWord } from "./scales.ts";
import { findUnit, powerOf, type Unit } from "./units.ts";

/** A number by itself: digits or words, with an ordinal ending, a fraction in one character and a scale ("1.5 million"). */
export interface PlainNumber extends Range {
  /** As it is written: 1500000 for "1.5 million", 0.75 for "three quarters", 3 for "3rd". */
  readonly value: number;
  /** What its last digit counts, by which it may have been rounded: 0.01 for "3.25", 100000 for "1.5 million". */
  readonly step: number;
  readonly kind: "cardinal" | "ordinal" | "fraction";
  readonly isWord: boolean;
  /** What "million" or "k" multiplied it with; 1 without. */
  readonly scale: number;
  /** The word after it that multiplies it in a way that is not known: "zillion". The value is that of the digits. Else null. */
  readonly unknownScale: string | null;
  /** What it also may be where the text doesn't show how it groups digits: 5,000 for "5.000". Else null. */
  readonly other: number | null;
  /** Whether its groups stand apart by plain spaces, as two numbers also would. */
  readonly hasSpaces: boolean;
}

/** A number that a text mentions. Its range takes in sign, currency, percent sign and scale ("-$1.5 million"), not the unit. */
export interface NumberMention extends PlainNumber {
  readonly isPercent: boolean;
  /** "USD" for "$"; null where none is named. */
  readonly currency: string | null;
  /** The unit in the word after it ("3 km", "12 minutes"), and where that ends. */
  readonly unit: { readonly unit: Unit; readonly end: number } | null;
  /** What it is counted by: "/mo" for "$20 per month", and where that ends. */
  readonly rate: Rate | null;
}

/** What a number is of, where it says so: a percentage, a currency, a unit. */
export function baseOf({ isPercent, currency, unit }: NumberMention): string | null {
  return isPercent ? "%" : (currency ?? unit?.unit.name ?? null);
}

/** The same, whole: with what it is counted by. */
export function measureOf(mention: NumberMention): string | null {
  const base = baseOf(mention);
  return mention.rate === null ? base : `${base ?? ""}${mention.rate.name}`;
}

/** Whether two numbers measure the same, as far as both say: "20" and "20 km", but neither "20 km" and "20 m", nor other rates. */
export function isSameMeasure(a: NumberMention, b: NumberMention): boolean {
  const [own, other] = [baseOf(a), baseOf(b)];
  if (own !== null && other !== null && own !== other) return false;
  return a.rate === null || b.rate === null || a.rate.name === b.rate.name;
}

/** Where a number ends with its unit and what it is counted by. */
export function endOfMeasure({ end, unit, rate }: NumberMention): number {
  return Math.max(end, unit?.end ?? 0, rate?.end ?? 0);
}

const currencySigns: ReadonlyMap<string, string> = new Map([
  ["$", "USD"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["₹", "INR"],
  ["₽", "RUB"],
  ["₩", "KRW"],
]);
const currencyWords: ReadonlyMap<string, string> = new Map([
  ["dollar", "USD"],
  ["dollars", "USD"],
  ["euro", "EUR"],
  ["euros", "EUR"],
  ["yen", "JPY"],
  ["rupees", "INR"],
  ["francs", "CHF"],
]);
const currencyCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
/** What a letter stands for where a currency is before; else metres, bits and unknowns. */
const moneyScales: ReadonlyMap<string, number> = new Map([
  ["m", 1e6],
  ["M", 1e6],
  ["b", 1e9],
  ["B", 1e9],
  ["MM", 1e6],
]);
const ordinalEndings: ReadonlySet<string> = new Set(["st", "nd", "rd", "th"]);
const longestWord = 14;

const andAHalf = " and a half";

/** Digits that are no number: a time, a date, a telephone number, a version. */
interface Code {
  readonly isCode: true;
  readonly end: number;
}

/** The number that begins at a place, where a word, a digit or a fraction begins. Null where none does. */
export function readNumberAt(text: string, start: number, habit?: NumberHabit): PlainNumber | Code | null {
  const code = text.charCodeAt(start);
  if (isDigit(code) || (code === dot && isDigit(text.charCodeAt(start + 1)))) {
    return readDigitNumber(text, start, habit);
  }
  if (isLetter(code)) {
    const word = mayBeginNumber(text, start, endOfLetters(text, start)) ? readWordNumber(text, start) : null;
    return word && { ...word, start, step: stepOf(word.value), isWord: true, scale: 1, ...simple };
  }
  const value = readVulgarFraction(text, start);
  if (value === null) return null;
  return { start, end: start + 1, value, step: 0, kind: "fraction", isWord: false, scale: 1, ...simple };
}

const simple = { other: null, hasSpaces: false, unknownScale: null };

function readDigitNumber(text: string, start: number, habit: NumberHabit | undefined): PlainNumber | Code {
  const { end, value, step, isCode, other, hasSpaces } = readDigits(text, start, habit);
  if (isCode || !Number.isFinite(value)) return { isCode: true, end };
  const plain = {
    start,
    end,
    value,
    step,
    kind: "cardinal" as const,
    isWord: false,
    ...simple,
    scale: 1,
    other,
    hasSpaces,
  };
  const part = readVulgarFraction(text, end);
  if (part !== null) return { ...plain, end: end + 1, value: value + part, step: 0, kind: "fraction" };
  if (text.startsWith(andAHalf, end)) {
    return { ...plain, end: end + andAHalf.length, value: value + 0.5, step: 0, kind: "fraction" };
  }
  const lettersEnd = endOfLetters(text, end);
  const letters = lettersEnd - end > 2 ? "" : text.slice(end, lettersEnd);
  if (step === 1 && ordinalEndings.has(letters.toLowerCase())) return { ...plain, end: lettersEnd, kind: "ordinal" };
  const signed = readSigns(text, end, value);
  if (signed !== null) return { ...plain, ...signed, step: step * signed.scale, other: null };
  const scale = readScale(text, plain, letters);
  if (scale === null) return plain;
  const { factor } = scale;
  if (factor === null) return { ...plain, end: scale.end, unknownScale: text.slice(end, scale.end).trim() };
  if (!Number.isFinite(value * factor)) return plain;
  return {
    ...plain,
    end: scale.end,
    value: value * factor,
    other: other === null ? null : other * factor,
    step: step * factor,
    scale: factor,
  };
}

/** "k" and the like right after digits, " million" and the like after a space. */
function readScale(text: string, { start, end }: Range, letters: string): ScaleWord | null {
  const isMoney = currencySigns.has(text.charAt(start - 1));
  const factor = letters === "K" ? 1e3 : isMoney ? moneyScales.get(letters) : undefined;
  if (factor !== undefined) return { end: end + letters.length, factor };
  const gap = text.charCodeAt(end);
  if (isLetter(gap)) return findScaleWord(text, end);
  const hasGap = gap === space || gap === noBreakSpace || gap === hyphen;
  const scale = hasGap && text.charCodeAt(end + 2) > 32 ? findScaleWord(text, end + 1) : null;
  // "5 k" alone is none: letters after a space are units.
  return scale !== null && scale.end >= end + 3 ? scale : null;
}

/**
 * Every number of a text, in its order: digits with separators, decimals, fractions, percents, currency, powers of ten,
 * ordinals, and numbers in words. Digits inside a name ("B12") and codes (times, dates in digits, telephone numbers,
 * versions) are no numbers. In time that grows linearly with the text.
 */
export function readNumbers(text: string, language: string | null = null): readonly NumberMention[] {
  const mentions: NumberMention[] = [];
  const habit = readHabit(text, language);
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const found = mayBegin(code) ? readNumberAt(text, at, habit) : null;
    if (found === null) {
      at = isLetter(code) ? skipWord(text, at) : at + 1;
      continue;
    }
    at = found.end;
    if ("isCode" in found) continue;
    const last = mentions.at(-1);
    // The third quarter is no fourth.
    if (found.kind === "fraction" && last?.kind === "ordinal" && last.end === found.start - 1) continue;
    const mention = attach(text, withStroke(text, found), last?.end ?? 0);
    mentions.push(mention);
    at = mention.end;
  }
  return mentions;
}

function mayBegin(code: number): boolean {
  return isDigit(code) || code === dot || code > 187 || isLetter(code);
}

/** The numbers of one of the texts of a verification, read once for all checks. */
export const numbersOf: (text: Text) => readonly NumberMention[] = memoize((text: Text) => {
  return readNumbers(text.text, languageOf(text).language);
});

const [space, dollar, hyphen, dot, noBreakSpace, degree, square] = [32, 36, 45, 46, 0xa0, 0xb0, 0xb2];

/** With what is below a stroke: "1/2" and "3 1/2". A number of more than four digits above or below it is none. */
function withStroke(text: string, found: PlainNumber): PlainNumber {
  const { end, value, step, kind, isWord, scale } = found;
  if (isWord || kind !== "cardinal" || step !== 1 || scale !== 1) return found;
  const simple = readStroke(text, end, value);
  if (simple !== null) return { ...found, ...simple, step: 0, kind: "fraction" };
  if (text.charAt(end) !== " " || !isDigit(text.charCodeAt(end + 1))) return found;
  const above = readDigits(text, end + 1);
  const below = above.isCode || above.step !== 1 ? null : readStroke(text, above.end, above.value);
  if (below === null || below.value >= 1) return found;
  return { ...found, end: below.end, value: value + below.value, step: 0, kind: "fraction" };
}

function readStroke(text: string, end: number, above: number): { readonly end: number; readonly value: number } | null {
  const start = text.startsWith(" / ", end)
    ? end + 3
    : text.charAt(end) === "/" || text.charAt(end) === "⁄"
      ? end + 1
      : 0;
  if (start === 0 || !isDigit(text.charCodeAt(start))) return null;
  const below = readDigits(text, start);
  const isFraction = !below.isCode && below.step === 1 && below.value > 1 && below.value < 10_000 && above < 10_000;
  return isFraction && text.charAt(below.end) !== "/" ? { end: below.end, value: above / below.value } : null;
}

/** Puts sign, currency, percent and unit to a number. What ends before `floor` belongs to the number before it. */
function attach(text: string, found: PlainNumber, floor: number): NumberMention {
  const before = found.start > floor ? (currencyAt(text, found.start - 1) ?? null) : null;
  const unsigned = before === null ? found.start : found.start - 1;
  const sign = readSign(text, unsigned, floor);
  const start = unsigned - sign;
  const next = readNextWord(text, found.end);
  const dozens = /^dozens?$/.test(next[0]) ? 12 : 1;
  const numberEnd = dozens === 1 ? found.end : next[1];
  const percent = readPercent(text, numberEnd, next);
  const end = percent?.end ?? numberEnd;
  const [word, wordEnd] = percent === null && dozens === 1 ? next : readNextWord(text, end);
  const after = before === null ? readCurrencyAfter(text, end, word) : null;
  const isUnit = word !== "" && found.kind !== "ordinal" && !(word === "s" && isDecade(text, start, found.value));
  const unit = isUnit ? readUnit(text, word, wordEnd) : null;
  const currency = before ?? after?.currency ?? readCodeBefore(text, start);
  // Prices have two decimals: "4.500 EUR" is four and a half thousand.
  const grouping = currency !== null && found.step === 0.001 ? 1_000 : 1;
  const factor = dozens * (percent?.factor ?? 1);
  const value = grouping === 1 ? found.value * factor : Math.round(found.value * grouping);
  const other = currency === null && factor === 1 ? found.other : null;
  const measured = {
    ...found,
    start,
    end: after?.end ?? end,
    value: sign === 0 ? value : -value,
    other: other === null || sign === 0 ? other : -other,
    step: found.step * grouping * factor,
    isPercent: percent !== null,
    currency,
    unit,
    rate: null,
  };
  const isNamed = after !== null && after.end === end;
  const rate = found.kind === "ordinal" ? null : readRate(text, isNamed ? wordEnd : endOfMeasure(measured));
  const speed = unit && rate && findUnit(`${unit.unit.name}${rate.name}`);
  return speed ? { ...measured, unit: { unit: speed, end: rate.end } } : { ...measured, rate };
}

/** The unit after a number, whole: "square metres", "cubic feet", "m3" are other units than metres and feet. */
function readUnit(text: string, word: string, end: number): NumberMention["unit"] {
  const power = /^(?:square|sq)$/i.test(word) ? 2 : /^(?:cubic|cu)$/i.test(word) ? 3 : 1;
  const [name, nameEnd] = power === 1 ? ([word, end] as const) : readNextWord(text, end);
  const unit = findUnit(name);
  if (unit === null) return null;
  const [, raised = ""] = /^\^?([23²³])(?![\d\p{L}])/u.exec(text.slice(nameEnd, nameEnd + 3)) ?? [];
  const exponent = power > 1 || raised === "" ? power : "3³".includes(raised) ? 3 : 2;
  if (exponent === 1) return { unit, end: nameEnd };
  const whole = powerOf(unit, exponent);
  return whole && { unit: whole, end: nameEnd + (power > 1 ? 0 : text.slice(nameEnd).indexOf(raised) + 1) };
}

/** "EUR" of "EUR 4,500". */
function readCodeBefore(text: string, start: number): string | null {
  if (text.charAt(start - 1) !== " " || !isCapital(text.charCodeAt(start - 2))) return null;
  const code = text.slice(start - 4, start - 1);
  return !isLetter(text.charCodeAt(start - 5)) && currencyCodes.has(code) ? code : null;
}

/** The currency of a sign. "$" is the only one among the plain characters. */
function currencyAt(text: string, at: number): string | undefined {
  const code = text.charCodeAt(at);
  return code === dollar || code > 127 ? currencySigns.get(text.charAt(at)) : undefined;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** A currency sign after the number that is not that of the next one ("12,50 €"), or the word for one, which the range leaves out. */
function readCurrencyAfter(
  text: string,
  end: number,
  word: string,
): { readonly currency: string; readonly end: number } | null {
  const at = text.charAt(end) === " " ? end + 1 : end;
  const sign = currencyAt(text, at);
  if (sign !== undefined && !isDigit(text.charCodeAt(at + 1))) return { currency: sign, end: at + 1 };
  const named = currencyCodes.has(word) ? word : word === "" ? undefined : currencyWords.get(word.toLowerCase());
  return named === undefined ? null : { currency: named, end };
}

const minusWord = /(?:minus|negative) $/i;
const longestMinus = 9;
/** What a sign may be right after: a currency, spaces, opening brackets and quotation marks, operators, and the marks of emphasis. */
const beforeSign = '$ \t\r\n\u00a0\u202f\u2009([{=<>≈:,|*_`"“„«‘';

/**
 * How long the sign before a number is. A minus right before it is its sign unless something is right before the
 * minus, as in "3-4" and "mid-20"; the word is where no other number comes before it.
 */
function readSign(text: string, start: number, floor: number): number {
  if (start <= floor) return 0;
  const sign = text.charAt(start - 1);
  if (sign === "-" || sign === "−" || sign === "–") {
    return beforeSign.includes(text.charAt(start - 2)) ? 1 : 0;
  }
  const found = sign === " " ? minusWord.exec(text.slice(Math.max(floor, start - longestMinus), start)) : null;
  const from = start - (found?.[0].length ?? 0);
  return found !== null && from - floor !== 1 ? found[0].length : 0;
}

/** "1920s", "the 90s": not seconds. */
function isDecade(text: string, start: number, value: number): boolean {
  return (
    value % 10 === 0 &&
    (value >= 1_000 || /(?:\b(?:the|early|late) |['’]|mid-)$/i.test(text.slice(Math.max(0, start - 8), start)))
  );
}

/** Percent, and what counts parts of it: 5‰ is 0.5%, 25 basis points are 0.25%. */
function readPercent(
  text: string,
  end: number,
  [word, wordEnd]: NextWord,
): { readonly end: number; readonly factor: number } | null {
  const at = text.charAt(end) === " " || text.charCodeAt(end) === noBreakSpace ? end + 1 : end;
  if (text.charAt(at) === "%") return { end: at + 1, factor: 1 };
  if (text.charAt(at) === "‰") return { end: at + 1, factor: 0.1 };
  if (text.charAt(at) === "‱") return { end: at + 1, factor: 0.01 };
  if (/^bps?$/.test(word)) return { end: wordEnd, factor: 0.01 };
  if (word === "basis" && /^ points?\b/.test(text.slice(wordEnd, wordEnd + 8))) {
    return { end: wordEnd + (text.charAt(wordEnd + 6) === "s" ? 7 : 6), factor: 0.01 };
  }
  if (at === end) return null;
  if (word === "percent") return { end: wordEnd, factor: 1 };
  return word === "per" && text.startsWith(" cent", wordEnd) ? { end: wordEnd + 5, factor: 1 } : null;
}

/** A word with where it ends. */
type NextWord = readonly [string, number];

/** The word after one space or hyphen, or attached. Empty where there is none or a long one. */
function readNextWord(text: string, end: number): NextWord {
  const gap = text.charCodeAt(end);
  const start = gap === space || gap === noBreakSpace || gap === hyphen ? end + 1 : end;
  let to = start;
  while (
    to - start < longestWord &&
    (isLetter(text.charCodeAt(to)) || text.charCodeAt(to) === degree || text.charCodeAt(to) === square)
  )
    to += 1;
  return to - start === longestWord ? ["", end] : [text.slice(start, to), to];
}

/** Past a word and the digits in it: those of "B12", "x2" and "v1.2.3" are part of a name. */
function skipWord(text: string, start: number): number {
  let at = start;
  while (true) {
    const code = text.charCodeAt(at);
    const isJoint = code === dot && isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
    if (!isLetter(code) && !isDigit(code) && !isJoint) return at;
    at += 1;
  }
}

/** Words give a number with as many digits as it has before its zeros: "two thousand" may be rounded to thousands. */
function stepOf(value: number): number {
  if (value === 0 || !Number.isInteger(value)) return value === 0 ? 1 : 0;
  let step = 1;
  while (value % (step * 1_000) === 0 && step < 1e12) step *= 1_000;
  return step;
}

/** Whether a UTF-16 unit is a letter below U+2000: Latin, Greek, Cyrillic and others, but not Chinese, Japanese or Korean. */
export function isLetter(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7);
}
