import type { LineGrade } from "#contract";

/** Most characters of a text in a grade: the answer itself is a line of the batch already. */
const longestText = 1_000;

/** The grade of a line that has nothing to be graded. */
export function noAnswer(expected: string | null, hasReasoning = false): LineGrade {
  const why = hasReasoning ? "The answer is reasoning only." : "The request has no answer.";
  return { expected: expected === null ? null : cut(expected), given: null, grade: "no_answer", why };
}

/** The grade of a line that nothing is expected of. */
export function noExpectation(expected: string | null): LineGrade {
  const why = expected === null ? "The table has no such row." : "The row has no expected answer.";
  return { expected, given: null, grade: "no_expected", why };
}

export function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText).toWellFormed()}…`;
}
