import { RE2JS } from "re2js";
import { quote } from "#main/base";
import type { AnswerGrader } from "./types.ts";

export const exactGrader: AnswerGrader = {
  grade(answer, expected) {
    const passed = answer === expected;
    return { passed, given: answer, why: passed ? "The answer is the expected text." : "The answer is another text." };
  },
};

export const textGrader: AnswerGrader = {
  grade(answer, expected) {
    const passed = simplifyText(answer) === simplifyText(expected);
    const why = passed
      ? "The answer is the expected text, but for case, spaces and punctuation."
      : "The answer is another text, also without case, spaces and punctuation.";
    return { passed, given: answer, why };
  },
};

export const containsGrader: AnswerGrader = {
  findMistake: (expected) => (expected === "" ? "The expected text is empty, which stands in every answer." : null),
  grade(answer, expected) {
    const passed = answer.includes(expected);
    const why = `The expected text ${passed ? "stands" : "does not stand"} in the answer.`;
    return { passed, given: answer, why };
  },
};

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
    return { passed, given: answer, why: `The answer ${passed ? "matches" : "does not match"} the pattern.` };
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
    .replaceAll(/[`´\p{Cf}]/gu, "")
    // "42²" is not "422".
    .replaceAll(/(?<=\p{N})(?=[²³¹⁰-⁹₀-₉①-⑳])/gu, joint)
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
