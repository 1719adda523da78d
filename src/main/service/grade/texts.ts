import { RE2JS } from "re2js";
import { quote } from "../quote.ts";
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

/** Stands for the point of a number, which is no punctuation. */
const point = "\u0001";

/** A text without case, spaces and punctuation; the point and the minus sign of a number stay. */
function simplifyText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replaceAll(/(?<=\d)[.,](?=\d)/g, point)
    .replaceAll(/(?<![\p{L}\p{N}])-(?=\.?\d)/gu, "−")
    .replaceAll(/[\p{P}\s]/gu, "");
}
