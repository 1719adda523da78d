import { quote } from "../quote.ts";
import { type NumberMention, readNumbers } from "../verify/index.ts";
import type { AnswerGrader } from "./types.ts";

/** Worked solutions end with their result after this mark, as those of GSM8K do. */
const resultMark = /^.*####(.*)$/gm;

/** What sums of decimals may be off by, in units of the larger number. */
const rounding = 4 * Number.EPSILON;

/** A number that a text ends with, as it is written and as it is read. */
interface Result {
  readonly text: string;
  readonly value: number;
}

/** @param tolerance how far the numbers may be apart */
export function createNumberGrader(tolerance: number): AnswerGrader {
  return {
    findMistake: (expected) =>
      readResult(expected) === null ? `The expected value ${quote(expected)} has no number.` : null,
    grade(answer, expected) {
      const wanted = readResult(expected);
      const given = readResult(answer);
      if (wanted === null || given === null) {
        return { passed: false, given: null, why: "The answer has no number." };
      }
      const slack = rounding * Math.max(Math.abs(wanted.value), Math.abs(given.value));
      const passed = Math.abs(wanted.value - given.value) <= tolerance + slack;
      const within = tolerance === 0 ? "" : ` within ${tolerance}`;
      const why = `The answer's number is ${given.text}, ${passed ? `as expected${within}` : `not ${wanted.text}`}.`;
      return { passed, expected: wanted.text, given: given.text, why };
    },
  };
}

/** The number after the last `####`, else the last of the text. */
function readResult(text: string): Result | null {
  const marked = Array.from(text.matchAll(resultMark), ([, rest = ""]) => rest).at(-1);
  const after = marked === undefined ? null : choose(marked, (mentions) => mentions[0]);
  return after ?? choose(text, (mentions) => mentions.at(-1));
}

/** Digits come before words, and amounts before ordinals: the "one" of "no one" is no result. */
function choose(text: string, pick: (mentions: readonly NumberMention[]) => NumberMention | undefined): Result | null {
  const mentions = readNumbers(text);
  const amounts = mentions.filter(({ kind }) => kind !== "ordinal");
  const found = pick(amounts.filter(({ isWord }) => !isWord)) ?? pick(amounts) ?? pick(mentions);
  return found === undefined ? null : { text: text.slice(found.start, found.end), value: found.value };
}
