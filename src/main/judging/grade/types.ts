/** A line as a grader needs it. */
export interface GradeInput {
  /** Null where its request has no answer. */
  readonly answer: string | null;
  /** The cell of the column; null where the table has no such row. */
  readonly expected: string | null;
  /** The JSON schema that its request asks for, as text; null where it asks for none. */
  readonly schema: string | null;
}

/** What a grader found in an answer. */
export interface Found {
  readonly passed: boolean;
  /** The expected value as it was read; the cell as it is by default. */
  readonly expected?: string;
  /** The answer's text by default. */
  readonly given?: string | null;
  /** One sentence. */
  readonly why: string;
}

/** One way to compare an answer with the expected value. */
export interface AnswerGrader {
  /** Whether it needs an expected value; it does by default. */
  readonly needsExpected?: boolean;
  /** What answers and expected values are alike in before they are compared; `foldText` by default. */
  readonly fold?: (text: string) => string;
  /** Why the expected value can't be used; null when it can. */
  findMistake?(expected: string): string | null;
  grade(answer: string, expected: string, schema: string | null): Found;
  /** Whether an answer has these values and no others; absent where that can't be told. */
  gradeSet?(answer: string, expected: readonly string[]): Found;
  /** The values of an answer that is a list of some; null for any other. */
  readList?(answer: string): readonly string[] | null;
}

/** A setting of a grader that can't be used; the message says why. */
export class GraderError extends Error {
  override readonly name = "GraderError";
}
