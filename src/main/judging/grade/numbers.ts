import { quote } from "#main/base";
import { readNumbers } from "../verify/text/numbers.ts";
import { isRange } from "../verify/text/ranges.ts";
import { plainNumbers } from "./plain-numbers.ts";
import type { AnswerGrader } from "./types.ts";

/** Where the result of a worked solution is, the surest sign first; the last such place counts. */
const results: readonly { readonly place: RegExp; readonly pick: 0 | -1 }[] = [
  // As those of GSM8K end.
  { place: /^.*####(.*)$/gm, pick: 0 },
  { place: /\\boxed\s*\{([^{}]*)\}/g, pick: -1 },
  { place: /\bfinal answer\b\s*(?:is|:|=)(.*?)(?:[.!?](?=\s|$)|$)/gim, pick: -1 },
];

/** What sums of decimals may be off by, in units of the larger number. */
const rounding = 4 * Number.EPSILON;

/** A number that a text ends with, as it is written and as it is read; a range has no value, and neither has "5 zillion". */
interface Result {
  readonly text: string;
  readonly value: number | null;
  /** The word that multiplies it, where that is not known. */
  readonly unknownScale?: string;
}

/** @param tolerance how far the numbers may be apart */
export function createNumberGrader(tolerance: number): AnswerGrader {
  return {
    findMistake(expected) {
      const wanted = readResult(expected);
      if (wanted === null) return `The expected value ${quote(expected)} has no number.`;
      return wanted.value === null ? `The expected value ${quote(expected)} ${describeNoValue(wanted)}.` : null;
    },
    grade(answer, expected) {
      const wanted = readResult(expected);
      const given = readResult(answer);
      if (wanted === null || wanted.value === null || given === null) {
        return { passed: false, given: null, why: "The answer has no number." };
      }
      const shown = { expected: wanted.text, given: given.text };
      if (given.value === null) {
        return { ...shown, passed: false, why: `The answer's number ${given.text} ${describeNoValue(given)}.` };
      }
      const passed = differenceOf(wanted, given) <= tolerance;
      const within = tolerance === 0 ? "" : ` within ${tolerance}`;
      const why = `The answer's number is ${given.text}, ${passed ? `as expected${within}` : `not ${wanted.text}`}.`;
      return { ...shown, passed, why };
    },
  };
}

function describeNoValue({ unknownScale }: Result): string {
  return unknownScale === undefined ? "is a range" : `has a multiplier that is not known: ${quote(unknownScale)}`;
}

/** `18`, `-2.5`, `$1,319`, `454,56 €`, `12 %`; not `007`, which is a code. */
export const numberAlone = /^[-+−]?[$€£¥]?\s?[-+−]?(?!0\d)\d[\d,.'’\u00a0\u202f ]*[%€£¥$]?$/;

/** Whether two texts are one number alone, and the same. */
export function isSameNumberAlone(one: string, other: string): boolean {
  if (!numberAlone.test(one) || !numberAlone.test(other)) return false;
  const [first, second] = [readResult(one), readResult(other)];
  return first !== null && second !== null && differenceOf(first, second) === 0;
}

/** How far two numbers are apart; integers may have more digits than a double. */
function differenceOf(one: Result, other: Result): number {
  const [value, otherValue] = [one.value ?? Number.NaN, other.value ?? Number.NaN];
  const [integer, otherInteger] = [readInteger(one), readInteger(other)];
  if (integer !== null && otherInteger !== null) return Math.abs(Number(integer - otherInteger));
  const slack = rounding * Math.max(Math.abs(value), Math.abs(otherValue));
  return Math.max(0, Math.abs(value - otherValue) - slack);
}

/** An integer that is written with digits and at most marks of thousands, to its last digit; null for any other number. */
function readInteger({ text, value }: Result): bigint | null {
  const digits = text.replaceAll(/\D/g, "");
  if (value === null || !Number.isInteger(value) || Number(digits) !== Math.abs(value)) return null;
  return value < 0 ? -BigInt(digits) : BigInt(digits);
}

/** The number at the surest sign of a result, else the last of the text. */
function readResult(written: string): Result | null {
  const text = plainNumbers(written);
  for (const { place, pick } of results) {
    const marked = Array.from(text.matchAll(place), ([, rest = ""]) => rest).at(-1);
    const found = marked === undefined ? null : choose(marked, pick);
    if (found !== null) return found;
  }
  return choose(withoutRemarks(text), -1) ?? choose(text, -1);
}

/**
 * A text without what its brackets add to it: "(6 × 7 = 42)", "(see page 3)". A number alone in brackets
 * is no remark, but for that of a footnote.
 */
function withoutRemarks(text: string): string {
  return text
    .replaceAll(/(?<=[\p{L}\p{N}.%)]\s?)\[\^?\d{1,3}\]/gu, " ")
    .replaceAll(
      /[([](?!\s*(?:or|oder|ou|o)\b(?![^()[\]]*\b(?:if|when|unless|wenn|falls|si|se)\b))[^()[\]]*[\p{L}=+×*/<>][^()[\]]*[)\]]/giu,
      " ",
    );
}

/** Digits come before words, and amounts before ordinals: the "one" of "no one" is no result. */
function choose(text: string, pick: 0 | -1): Result | null {
  const mentions = readNumbers(text);
  const amounts = mentions.filter(({ kind, start }) => kind !== "ordinal" && !isDenied(text, start));
  const digits = amounts.filter(({ isWord }) => !isWord);
  const choices = [digits, amounts, mentions].find(({ length }) => length > 0) ?? [];
  const found = choices.at(pick);
  if (found === undefined) return null;
  const at = mentions.indexOf(found);
  for (const [low, high] of [mentions.slice(at - 1, at + 1), mentions.slice(at, at + 2)]) {
    if (low === undefined || high === undefined || !isRange(text, low, high)) continue;
    return { text: text.slice(low.start, high.end), value: null };
  }
  const shown = text.slice(found.start, found.end);
  const { value, unknownScale } = found;
  return unknownScale === null ? { text: shown, value } : { text: shown, value: null, unknownScale };
}

/** Words before a number that is not meant: "100, not 90". */
const denial =
  /\b(?:not|rather than|instead of|nicht|statt|anstatt|pas|au lieu de|no|en vez de|non|invece di|não|em vez de)\s+[$€£¥*_`]*$/i;

function isDenied(text: string, start: number): boolean {
  return denial.test(text.slice(Math.max(0, start - 20), start));
}
