import type { LineGrade, VerifyInput } from "#contract";
import { quote } from "#main/base";
import { type GradeInput, schemaOf, type Ungraded } from "#main/judging";
import { readOutcome, requestSchema } from "#main/results";
import { type ByteRange, readRanges } from "#main/storage";
import { answerSchema, BatchFilesError, eachLine, type FileProblem, notAnswer, workInOrder } from "./batch-files.ts";
import { toPrompt } from "./line-texts.ts";

/** Lines that are read at a time. */
const step = 64;

/** An answer that is to be graded. */
export interface ExpectedAnswer {
  readonly customId: string;
  /** Null for a grader that needs none. */
  readonly expected: string | null;
}

/** An answer as a grader of files gets it. */
export interface FileGradeInput extends GradeInput, Pick<VerifyInput, "prompt"> {
  readonly customId: string;
}

export interface GradeFilesOptions {
  /** The file with the answers of a batch, in any order. */
  readonly answers: string;
  /** The file with its requests; null where the grader needs nothing of them. */
  readonly requests: string | null;
  /** What is expected of which answer; null grades every request, or every answer where there are no requests. */
  readonly expected: readonly ExpectedAnswer[] | null;
  readonly grade: (input: FileGradeInput) => LineGrade | Promise<LineGrade | Ungraded>;
  /** Answers that are graded at a time. */
  readonly concurrency: number;
}

export interface GradedFiles {
  readonly total: number;
  /** Answers that nothing is expected of. */
  readonly others: number;
  /** In the order of what is expected. */
  readonly lines: AsyncIterable<{ readonly customId: string; readonly grade: LineGrade | Ungraded }>;
}

/**
 * Grades the answers of a batch in a file. Of the files no more is in memory than where each line is. Rejects with a
 * BatchFilesError before anything is graded when a line can't be read or joined.
 */
export async function gradeFiles(parts: GradeFilesOptions): Promise<GradedFiles> {
  const problems: FileProblem[] = [];
  const answers = await locate(
    parts.answers,
    problems,
    (value) => answerSchema.safeParse(value).data?.custom_id,
    notAnswer,
  );
  const notRequest = "It is no request: custom_id and a body with model and messages are expected.";
  const readId = (value: unknown) => requestSchema.safeParse(value).data?.custom_id;
  const requests = parts.requests === null ? null : await locate(parts.requests, problems, readId, notRequest);
  if (problems.length > 0) throw new BatchFilesError(problems);

  const everything = () => Array.from((requests ?? answers).keys(), (customId) => ({ customId, expected: null }));
  const expected: readonly ExpectedAnswer[] = parts.expected ?? everything();
  const joined = expected.filter(({ customId }) => answers.has(customId)).length;

  async function* readInputs() {
    for (let from = 0; from < expected.length; from += step) {
      const some = expected.slice(from, from + step);
      const answerTexts = await readTexts(parts.answers, answers, some);
      const requestTexts = requests === null ? null : await readTexts(parts.requests ?? "", requests, some);
      yield some.map((line, at) => ({ ...line, answer: answerTexts[at] ?? null, request: requestTexts?.[at] ?? null }));
    }
  }

  return {
    total: expected.length,
    others: answers.size - joined,
    lines: workInOrder(
      readInputs(),
      async ({ customId, expected: wanted, answer, request }) => {
        const outcome = answer === null ? null : readOutcome(answer);
        const grade = await parts.grade({
          customId,
          prompt: request === null ? "" : toPrompt(requestSchema.parse(JSON.parse(request)).body.messages),
          answer: outcome?.state === "answered" ? outcome.answer : null,
          expected: wanted,
          schema: request === null ? null : schemaOf(request),
        });
        return { customId, grade };
      },
      parts.concurrency,
    ),
  };
}

/** Where the line of each custom_id is. */
async function locate(
  file: string,
  problems: FileProblem[],
  readId: (value: unknown) => string | null | undefined,
  mistake: string,
): Promise<ReadonlyMap<string, ByteRange>> {
  const found = new Map<string, ByteRange>();
  await eachLine(file, problems, (value, { start, end }) => {
    const customId = readId(value);
    if (customId === undefined) return mistake;
    if (customId === null) return null;
    if (found.has(customId)) return `${quote(customId)} stands in an earlier line, too.`;
    found.set(customId, { start, end });
    return null;
  });
  return found;
}

/** The lines of these custom_ids; null where there is none. */
async function readTexts(
  file: string,
  located: ReadonlyMap<string, ByteRange>,
  wanted: readonly ExpectedAnswer[],
): Promise<(string | null)[]> {
  const ranges = wanted.map(({ customId }) => located.get(customId) ?? { start: 0, end: 0 });
  const contents = await readRanges(file, ranges);
  return wanted.map(({ customId }, at) => (located.has(customId) ? (contents[at]?.toString() ?? null) : null));
}
