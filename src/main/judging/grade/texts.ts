import { RE2JS } from "re2js";
import { composeText } from "#main/answers";
import { quote } from "#main/base";
import { spacedLetter } from "../verify/text/scripts.ts";
import type { AnswerGrader } from "./types.ts";

export const exactGrader: AnswerGrader = {
  fold: composeText,
  grade(answer, expected) {
    const passed = answer === expected;
    return { passed, why: passed ? "The answer is the expected text." : "The answer is not the expected text." };
  },
};

export const textGrader: AnswerGrader = {
  gradeSet(answer, expected) {
    const wanted = new Set(expected.map(simplifyText));
    const given = new Set(readValues(answer, expected));
    const passed = given.symmetricDifference(wanted).size === 0;
    return { passed, why: `The answer ${passed ? "has" : "doesn't have"} exactly the expected values.` };
  },
  grade(answer, expected) {
    const passed = simplifyText(answer) === simplifyText(expected);
    const why = passed
      ? "The answer is the expected text, but for case, spaces and punctuation."
      : "The answer is not the expected text, even without case, spaces and punctuation.";
    return { passed, why };
  },
};

const joints = /([,;|\n]|(?<!\p{L})(?:and|und|et|y|e)(?!\p{L}))/u;

/** The parts of a text, simplified, at even places; the separators and joining words between them at odd ones. */
const splitAtJoints = (text: string) =>
  text.split(joints).map((part, at) => (at % 2 === 0 ? simplifyText(part) : part));

/**
 * The values of an answer, simplified. An expected value may have separators and joining words of its own, such as "Trinidad
 * and Tobago" and "1,319": it is taken whole, the longest first.
 */
function readValues(answer: string, expected: readonly string[]): string[] {
  const wholes = expected
    .map((text) => ({ value: simplifyText(text), parts: splitAtJoints(text) }))
    .filter(({ parts }) => parts.length > 1)
    .toSorted((one, other) => other.parts.length - one.parts.length);
  const parts = splitAtJoints(answer);
  const values: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const whole = wholes.find((one) => one.parts.every((part, nth) => part === parts[at + nth]));
    const value = whole?.value ?? parts[at] ?? "";
    if (value !== "") values.push(value);
    at += whole === undefined ? 2 : whole.parts.length + 1;
  }
  return values;
}

/** @param wholeWords whether "art" is not in "party" */
export function createContainsGrader(wholeWords: boolean): AnswerGrader {
  const isIn = (answer: string, expected: string) =>
    wholeWords ? hasWords(answer, expected.trim()) : answer.includes(expected);
  return {
    gradeSet(answer, expected) {
      const missing = expected.filter((value) => !isIn(answer, value));
      const why = `The answer ${missing.length === 0 ? "has all expected texts" : `doesn't have ${quote(missing[0] ?? "")}`}.`;
      return { passed: missing.length === 0, why };
    },
    grade(answer, expected) {
      const passed = isIn(answer, expected);
      const why = `The answer ${passed ? "has" : "doesn't have"} the expected text${wholeWords ? " as whole words" : ""}.`;
      return { passed, why };
    },
  };
}

const [wordStart, wordEnd] = [new RegExp(`^${spacedLetter}`, "u"), new RegExp(`${spacedLetter}$`, "u")];

/** Whether a text has these words, and not within longer ones; scripts without spaces between words have no such ends. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    const isWithin =
      (wordStart.test(words) && wordEnd.test(text.slice(Math.max(0, at - 2), at))) ||
      (wordEnd.test(words) && wordStart.test(text.slice(end, end + 2)));
    if (!isWithin) return true;
  }
  return false;
}

/** RE2 matches in time that grows with the text alone: no pattern of a table can block the grading. */
export const regexGrader: AnswerGrader = {
  findMistake(expected) {
    try {
      RE2JS.compile(expected);
      return null;
    } catch (error) {
      const details = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error);
      return `${quote(expected)} is no pattern: ${details}.`;
    }
  },
  grade(answer, expected) {
    const passed = RE2JS.compile(expected).test(answer);
    return { passed, why: `The answer ${passed ? "matches" : "does not match"} the pattern.` };
  },
};

/** Characters of private use, for marks that are no punctuation. */
const [point, joint, percent, sharp] = ["\ue000", "\ue001", "\ue002", "\ue003"];

/**
 * A text without case, spaces and punctuation. What makes it another value stays: point, minus and percent sign of a number,
 * what is between its digits ("12:30", "1/2"), and the mark that ends a name ("C#").
 */
function simplifyText(text: string): string {
  const plain = text
    .replaceAll(/[`´]/g, "")
    // "42²" is not "422", nor "3½" 31/2.
    .replaceAll(/(?<=\p{N})(?=[²³¹⁰-⁹₀-₉①-⑳¼½¾⅐-⅞])/gu, joint)
    .normalize("NFKC")
    .replaceAll("⁄", "/")
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replaceAll(/(?<=\d)[.,](?=\d)|(?<![.\p{L}\p{N}])\.(?=\d)/gu, point)
    .replaceAll(/(?<![\p{L}\p{N}])-(?=\.?\d|\ue000)/gu, "−")
    .replaceAll(/(?<=\d)\p{P}(?=\d)/gu, joint)
    .replaceAll(/(?<=\d\s?)%/g, percent)
    .replaceAll(/(?<=\p{L})#/gu, sharp)
    .replaceAll(/[\p{P}\s]/gu, "");
  return foldCase(plain);
}

/** Full case folding: "ß" is "ss", and "Σ", "σ" and "ς" are one letter. Only the Turkish "ı" is no "i". */
export function foldCase(text: string): string {
  return text.replaceAll(/[^ı]+/g, (part) => part.toLowerCase().toUpperCase().toLowerCase());
}
