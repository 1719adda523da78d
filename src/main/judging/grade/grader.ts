import type { LineGrade, RulesGrader } from "#contract";
import { foldText, readAnswerText } from "#main/answers";
import { assertNever } from "#main/base";
import { createJsonGrader, createSchemaGrader } from "./json.ts";
import { createLabelGrader } from "./labels.ts";
import { cut, noAnswer } from "./no-answer.ts";
import { createNumberGrader } from "./numbers.ts";
import { createContainsGrader, exactGrader, regexGrader, textGrader } from "./texts.ts";
import type { AnswerGrader, GradeInput } from "./types.ts";

/** Computes grades: the same for the same texts, always. */
export interface GradeByRules {
  grade(input: GradeInput): LineGrade;
  /** Why no answer can be compared with this expected value; null when one can. */
  findMistake(expected: string): string | null;
}

/**
 * @param labels the values of the column, for the grader `label`
 * @throws GraderError when its path can't be read
 */
export function createGrader(grader: RulesGrader, labels: readonly string[] = []): GradeByRules {
  const { needsExpected = true, fold = foldText, ...chosen } = chooseGrader(grader, labels);
  const findMistake = (expected: string) => chosen.findMistake?.(fold(expected)) ?? null;
  return {
    findMistake,
    grade({ answer, expected, schema }) {
      const read = answer === null ? null : readAnswerText(answer);
      if (read === null || read.isReasoningOnly) return noAnswer(expected, read !== null);
      const wanted = expected === null ? null : cut(expected);
      const mistake = !needsExpected ? null : expected === null ? "The table has no such row." : findMistake(expected);
      if (mistake !== null) return { expected: wanted, given: null, grade: "fail", why: mistake };
      const found = chosen.grade(fold(read.text), fold(expected ?? ""), schema);
      const { given = read.text } = found;
      return {
        expected: found.expected === undefined ? wanted : cut(found.expected),
        given: given === null ? null : cut(given),
        grade: found.passed ? "pass" : "fail",
        why: found.why,
      };
    },
  };
}

function chooseGrader(grader: RulesGrader, labels: readonly string[]): AnswerGrader {
  switch (grader.name) {
    case "exact":
      return exactGrader;
    case "text":
      return textGrader;
    case "number":
      return createNumberGrader(grader.tolerance);
    case "contains":
      return createContainsGrader(grader.wholeWords ?? false);
    case "label":
      return createLabelGrader(labels);
    case "regex":
      return regexGrader;
    case "json":
      return createJsonGrader(grader.path);
    case "schema":
      return createSchemaGrader();
    default:
      return assertNever(grader);
  }
}
