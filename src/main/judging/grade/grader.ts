import type { LineGrade, RulesGrader } from "#contract";
import { foldText, readAnswerText } from "#main/answers";
import { assertNever } from "#main/base";
import { cellOf, isSplitByGuess, valuesOf } from "./cells.ts";
import { createJsonGrader, createSchemaGrader } from "./json.ts";
import { createLabelGrader } from "./labels.ts";
import { cut, noAnswer, noExpectation } from "./no-answer.ts";
import { createNumberGrader } from "./numbers.ts";
import { createContainsGrader, exactGrader, regexGrader, textGrader } from "./texts.ts";
import { type AnswerGrader, type Found, type GradeInput, GraderError } from "./types.ts";

/** Computes grades: the same for the same texts, always. */
export interface GradeByRules {
  grade(input: GradeInput): LineGrade;
  /** Why no answer can be compared with this expected value; null when one can, and for a blank one, which is passed over. */
  findMistake(expected: string): string | null;
  /** The values of an answer that is a list of some; null for any other. */
  readList(answer: string): readonly string[] | null;
}

/**
 * @param labels the values of the column, for the grader `label`
 * @throws GraderError when its path can't be read, or it can't compare sets
 */
export function createGrader(grader: RulesGrader, labels: readonly string[] = []): GradeByRules {
  const { needsExpected = true, fold = foldText, ...chosen } = chooseGrader(grader, labels);
  const reading = cellOf(grader);
  const { gradeSet } = chosen;
  if (reading?.as === "set" && gradeSet === undefined) {
    throw new GraderError(`${grader.name} can't compare sets: use contains, json, label or text.`);
  }
  const listValues = (expected: string) => valuesOf(expected, grader).map(fold);
  const isBlank = (expected: string | null) => needsExpected && (expected === null || foldText(expected).trim() === "");

  /** An empty list is a set that answers can have; every text contains it. */
  const isEmptySet = (expected: string) =>
    reading?.as === "set" && grader.name !== "contains" && /^\s*\[\s*\]\s*$/.test(foldText(expected));

  function findMistake(expected: string): string | null {
    if (isBlank(expected)) return null;
    const values = reading === undefined ? [fold(expected)] : listValues(expected);
    if (values.length === 0 && !isEmptySet(expected)) return "The cell has no value between its separators.";
    if (grader.name === "regex" && reading !== undefined && isSplitByGuess(expected, reading)) {
      return "Patterns may have |, ; and , in them: choose the separator, or write a JSON list.";
    }
    return values.map((value) => chosen.findMistake?.(value) ?? null).find((mistake) => mistake !== null) ?? null;
  }

  function compare(answer: string, expected: string, schema: string | null): Found {
    if (reading === undefined) return chosen.grade(answer, fold(expected), schema);
    const values = listValues(expected);
    if (reading.as === "set" && gradeSet !== undefined) return { expected, ...gradeSet(answer, values) };
    const tried = values.map((value) => chosen.grade(answer, value, schema));
    const passed = tried.find((found) => found.passed);
    if (passed !== undefined) return passed;
    const given = tried[0]?.given;
    const why = given === null ? (tried[0]?.why ?? "") : `The answer is none of the ${values.length} accepted answers.`;
    return { passed: false, expected, why, ...(given !== undefined && { given }) };
  }

  return {
    findMistake,
    readList(answer) {
      const read = readAnswerText(answer);
      return read.isReasoningOnly ? null : (chosen.readList?.(fold(read.text)) ?? null);
    },
    grade({ answer, expected, schema }) {
      const read = answer === null ? null : readAnswerText(answer);
      if (isBlank(expected)) return noExpectation(expected);
      if (read === null || read.isReasoningOnly) return noAnswer(expected, read !== null);
      const wanted = expected === null ? null : cut(expected);
      const mistake = needsExpected ? findMistake(expected ?? "") : null;
      if (mistake !== null) return { expected: wanted, given: null, grade: "fail", why: mistake };
      const found = compare(fold(read.text), expected ?? "", schema);
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
      return createLabelGrader(labels, grader.cell?.as === "set");
    case "regex":
      return regexGrader;
    case "json":
      return createJsonGrader(grader.path, grader.ordered ?? false);
    case "schema":
      return createSchemaGrader();
    default:
      return assertNever(grader);
  }
}
