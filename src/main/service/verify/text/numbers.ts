import { memoize } from "../memoize.ts";
import type { Range, Text } from "../types.ts";
import { isDigit, readDigits } from "./digits.ts";
import { endOfLetters, findScale, mayBeginNumber, readWordNumber } from "./number-words.ts";
import { findUnit, type Unit } from "./units.ts";

/** A number that a text mentions. Its range takes in sign, currency, percent sign and scale ("-$1.5 million"), not the unit. */
export interface NumberMention extends Range {
  /** As it is written: 20 for "20%", 1500000 for "1.5 million", 0.75 for "three quarters", 3 for "3rd". */
  readonly value: number;
  /** What its last digit counts, by which it may have been rounded: 0.01 for "3.25", 100000 for "1.5 million". */
  readonly step: number;
  readonly kind: "cardinal" | "ordinal" | "fraction";
  readonly isWord: boolean;
  readonly isPercent: boolean;
  /** "USD" for "$"; null where none is named. */
  readonly currency: string | null;
  /** The unit in the word after it ("3 km", "12 minutes"), and where that ends. */
  readonly unit: { readonly unit: Unit; readonly end: number } | null;
}

const currencies: ReadonlyMap<string, string> = new Map([
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
  ["usd", "USD"],
  ["euro", "EUR"],
  ["euros", "EUR"],
  ["eur", "EUR"],
  ["gbp", "GBP"],
  ["yen", "JPY"],
  ["rupees", "INR"],
]);
const vulgarFractions: ReadonlyMap<string, number> = new Map([
  ["½", 1 / 2],
  ["⅓", 1 / 3],
  ["⅔", 2 / 3],
  ["¼", 1 / 4],
  ["¾", 3 / 4],
  ["⅕", 1 / 5],
  ["⅖", 2 / 5],
  ["⅗", 3 / 5],
  ["⅘", 4 / 5],
  ["⅙", 1 / 6],
  ["⅚", 5 / 6],
  ["⅛", 1 / 8],
  ["⅜", 3 / 8],
  ["⅝", 5 / 8],
  ["⅞", 7 / 8],
]);
const shortScales: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["K", 1e3],
  ["M", 1e6],
  ["mn", 1e6],
  ["bn", 1e9],
  ["B", 1e9],
  ["tn", 1e12],
]);
const ordinalEndings: ReadonlySet<string> = new Set(["st", "nd", "rd", "th"]);
const longestWord = 14;

/**
 * Every number of a text, in its order: digits with separators, decimals, fractions, percents, currency, powers of ten,
 * ordinals, and numbers in words. Digits inside a name ("B12") and codes (times, dates in digits, telephone numbers,
 * versions) are no numbers. In time that grows linearly with the text.
 */
export function readNumbers(text: string): readonly NumberMention[] {
  const mentions: NumberMention[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isDigit(code) || (code === dot && isDigit(text.charCodeAt(at + 1)))) {
      const [mention, end] = readMention(text, at, mentions.at(-1)?.end ?? 0);
      if (mention) mentions.push(mention);
      at = end;
    } else if (isLetter(code)) {
      const end = endOfLetters(text, at);
      const word = mayBeginNumber(text, at, end) ? readWordNumber(text, at) : null;
      if (word)
        mentions.push(
          finish(
            text,
            { start: at, end: word.end, floor: mentions.at(-1)?.end ?? 0 },
            { ...word, step: stepOf(word.value), isWord: true },
          ),
        );
      at = word?.end ?? skipWord(text, end);
    } else if (code > 187 && vulgarFractions.has(text.charAt(at))) {
      const value = vulgarFractions.get(text.charAt(at)) ?? 0;
      mentions.push(
        finish(
          text,
          { start: at, end: at + 1, floor: mentions.at(-1)?.end ?? 0 },
          { value, step: 0, kind: "fraction", isWord: false },
        ),
      );
      at += 1;
    } else at += 1;
  }
  return mentions;
}

/** The numbers of one of the texts of a verification, read once for all checks. */
export const numbersOf: (text: Text) => readonly NumberMention[] = memoize(({ text }: Text) => readNumbers(text));

const [dollar, dot, degree, square] = [36, 46, 0xb0, 0xb2];

type Core = Pick<NumberMention, "value" | "step" | "kind" | "isWord">;

/** A number in digits with what belongs to it, and where to read on. No mention where the digits are a code. */
function readMention(text: string, start: number, floor: number): readonly [NumberMention | null, number] {
  const { end, value, step, isCode } = readDigits(text, start);
  if (isCode || !Number.isFinite(value)) return [null, end];
  const core: Core = { value, step, kind: "cardinal", isWord: false };
  const ordinal = text.slice(end, end + 2).toLowerCase();
  if (step === 1 && ordinalEndings.has(ordinal) && !isLetter(text.charCodeAt(end + 2))) {
    return [finish(text, { start, end: end + 2, floor }, { ...core, kind: "ordinal" }), end + 2];
  }
  const mixed = step === 1 ? readFraction(text, end, value) : null;
  const mention = finish(
    text,
    { start, end: mixed?.end ?? end, floor },
    mixed ? { ...core, value: mixed.value, step: 0, kind: "fraction" } : core,
  );
  return [mention, mention.end];
}

/** "1/2", "3½" and "3 1/2". A number of more than four digits above or below the stroke is none. */
function readFraction(
  text: string,
  end: number,
  whole: number,
): { readonly end: number; readonly value: number } | null {
  const part = vulgarFractions.get(text.charAt(end)) ?? null;
  if (part !== null) return { end: end + 1, value: whole + part };
  const simple = readStroke(text, end, whole);
  if (simple !== null) return simple;
  if (text.charAt(end) !== " " || !isDigit(text.charCodeAt(end + 1))) return null;
  const above = readDigits(text, end + 1);
  const below = above.isCode || above.step !== 1 ? null : readStroke(text, above.end, above.value);
  return below && below.value < 1 ? { end: below.end, value: whole + below.value } : null;
}

function readStroke(text: string, end: number, above: number): { readonly end: number; readonly value: number } | null {
  if (text.charAt(end) !== "/" && text.charAt(end) !== "⁄") return null;
  if (!isDigit(text.charCodeAt(end + 1))) return null;
  const below = readDigits(text, end + 1);
  const isFraction = !below.isCode && below.step === 1 && below.value > 1 && below.value < 10_000 && above < 10_000;
  return isFraction && text.charAt(below.end) !== "/" ? { end: below.end, value: above / below.value } : null;
}

/** Where a number stands, and where the one before it ends, which keeps what belongs to it. */
interface Place extends Range {
  readonly floor: number;
}

/** Puts sign, currency, scale, percent and unit to a number. */
function finish(text: string, place: Place, core: Core): NumberMention {
  const first = readNextWord(text, place.end);
  const scaled = core.kind === "ordinal" ? null : readScale(text, place.end, core, first);
  const before = place.start > place.floor ? (currencyAt(text, place.start - 1) ?? null) : null;
  const unsigned = before === null ? place.start : place.start - 1;
  const isNegative = unsigned > place.floor && hasSign(text, unsigned);
  const start = isNegative ? unsigned - 1 : unsigned;
  const numberEnd = scaled?.end ?? place.end;
  const next = scaled === null ? first : readNextWord(text, numberEnd);
  const percent = readPercent(text, numberEnd, next);
  const end = percent ?? numberEnd;
  const [word, wordEnd] = percent === null ? next : readNextWord(text, end);
  const after = before === null ? readCurrencyAfter(text, end, word) : null;
  const isUnit = word !== "" && core.kind !== "ordinal" && !(word === "s" && isDecade(text, start, core.value));
  const unit = isUnit ? findUnit(word) : null;
  const currency = before ?? after?.currency ?? readCodeBefore(text, start);
  // Prices have two decimals: "4.500 EUR" is four and a half thousand.
  const isGrouped = currency !== null && core.step === 0.001 && !scaled;
  const factor = isGrouped ? 1_000 : (scaled?.factor ?? 1);
  return {
    start,
    end: after?.end ?? end,
    value: (isGrouped ? Math.round(core.value * factor) : core.value * factor) * (isNegative ? -1 : 1),
    step: isGrouped ? 1 : core.step * factor,
    kind: core.kind,
    isWord: core.isWord,
    isPercent: percent !== null,
    currency,
    unit: unit === null ? null : { unit, end: wordEnd },
  };
}

/** "EUR" of "EUR 4,500". */
function readCodeBefore(text: string, start: number): string | null {
  if (text.charAt(start - 1) !== " " || !isCapital(text.charCodeAt(start - 2))) return null;
  const code = text.slice(Math.max(0, start - 5), start - 1);
  return /^(^|[^\p{L}])?[A-Z]{3}$/u.test(code) ? (currencyWords.get(code.slice(-3).toLowerCase()) ?? null) : null;
}

/** The currency of a sign. "$" is the only one among the plain characters. */
function currencyAt(text: string, at: number): string | undefined {
  const code = text.charCodeAt(at);
  return code === dollar || code > 127 ? currencies.get(text.charAt(at)) : undefined;
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
  const named = word === "" ? undefined : currencyWords.get(word.toLowerCase());
  return named === undefined ? null : { currency: named, end };
}

/** A minus right before a number is its sign unless something stands right before the minus, as in "3-4" and "mid-20". */
function hasSign(text: string, start: number): boolean {
  const sign = text.charAt(start - 1);
  if (sign !== "-" && sign !== "−") return false;
  const before = text.charCodeAt(start - 2);
  return Number.isNaN(before) || before === 32 || before === 10 || before === 40 || before === 61;
}

/** "1920s", "the 90s": not seconds. */
function isDecade(text: string, start: number, value: number): boolean {
  return (
    value % 10 === 0 &&
    (value >= 1_000 || /(?:\b(?:the|early|late) |['’]|mid-)$/i.test(text.slice(Math.max(0, start - 8), start)))
  );
}

function readScale(
  text: string,
  end: number,
  core: Core,
  [word, wordEnd]: NextWord,
): { readonly end: number; readonly factor: number } | null {
  if (word === "") return null;
  const isAttached = text.charAt(end) !== " ";
  const factor = core.isWord ? null : isAttached ? shortScales.get(word) : findScale(word);
  return factor ? { end: wordEnd, factor } : null;
}

function readPercent(text: string, end: number, [word, wordEnd]: NextWord): number | null {
  const at = text.charAt(end) === " " ? end + 1 : end;
  if (text.charAt(at) === "%") return at + 1;
  if (at === end) return null;
  if (word === "percent") return wordEnd;
  return word === "per" && text.startsWith(" cent", wordEnd) ? wordEnd + 5 : null;
}

/** A word with where it ends. */
type NextWord = readonly [string, number];

/** The word after one space or hyphen, or attached. Empty where there is none or a long one. */
function readNextWord(text: string, end: number): NextWord {
  const gap = text.charCodeAt(end);
  const start = gap === 32 || gap === 0xa0 || gap === 45 ? end + 1 : end;
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

function isLetter(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7);
}
