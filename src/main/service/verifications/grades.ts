import { z } from "zod";
import {
  type Grade,
  type GradeRun,
  type Grader,
  graderSchema,
  gradeSchema,
  type LineGrade,
  lineGradeSchema,
} from "#contract";
import { ServiceError } from "../errors.ts";
import {
  collectLabels,
  createGrader,
  type GradeInput,
  GraderError,
  labelPair,
  summarizeGrades,
} from "../grade/index.ts";
import { parseJson } from "../io/index.ts";
import type { Grades, ReadColumn } from "../types.ts";
import { readBatchLines } from "./batch-lines.ts";
import type { JudgeThread } from "./judge-thread.ts";
import { createRunFiles, type Outcome, type RunFiles } from "./run-file.ts";
import { createRuns, type RunKind, type RunParts, refusal, type Work } from "./runs.ts";
import { workInChunks } from "./work.ts";

/** The first line of a file of grades: what they are of, and how they came about. */
const gradesHeaderSchema = z.object({
  version: z.literal(1),
  grader: graderSchema,
  column: z.string().nullable(),
  /** The values of the column; null for every grader but `label`. */
  labels: z.array(z.string()).nullable(),
  /** Lines of the batch. */
  total: z.int().min(0),
});
type GradesHeader = Readonly<z.infer<typeof gradesHeaderSchema>>;

export type GradeFiles = RunFiles<GradesHeader, Grade, LineGrade>;

/** The files of the grades of batches, which need not be there yet. */
export function createGradeFiles(folder: string): GradeFiles {
  return createRunFiles({
    folder,
    headerSchema: gradesHeaderSchema,
    marks: gradeSchema.options,
    resultSchema: lineGradeSchema,
  });
}

/** Requests that are looked at for JSON schemas. */
const sampleLines = 100;

/** What has to be done with a graded line besides storing its result. */
function toOutcome(grade: LineGrade, countsLabels: boolean): Outcome<Grade> {
  const isCounted = countsLabels && grade.grade !== "no_answer";
  return { mark: grade.grade, tally: isCounted ? { [labelPair(grade)]: 1 } : {}, result: JSON.stringify(grade) };
}

export interface GradesParts extends RunParts {
  readonly files: GradeFiles;
  readonly thread: JudgeThread;
}

/** The grading of batches. */
export function createGrades(parts: GradesParts): { readonly grades: Grades; close(): Promise<void> } {
  const { files, thread, results, store } = parts;

  const kind: RunKind<GradesHeader, Grade, LineGrade, GradeRun> = {
    files,
    participle: "graded",
    prepare({ grader, column, labels }, readColumn) {
      const readCells = column === null ? null : (from: number) => openColumn(readColumn)(column, from);
      if (column !== null) openColumn(readColumn);
      const work: Work<Grade> = async ({ index, outcomes, readLines, ...target }) => {
        const isWanted = (line: number) => outcomes.mark(line) === null;
        const lines = readBatchLines({ index, isWanted, readLines, readCells });
        const judge = async (inputs: readonly LineInput[], signal: AbortSignal) => {
          const answers = inputs.map(({ input }) => input);
          const grades = await thread.client().grade({ grader, labels: labels ?? [], answers }, { signal });
          return grades.map((grade) => toOutcome(grade, labels !== null));
        };
        await workInChunks(toInputs(lines, grader), judge, target);
        return null;
      };
      return work;
    },
    describe: ({ header, index }, status) => {
      const { grader, column, labels, total } = header;
      const counts = { pass: index.count("pass"), fail: index.count("fail"), no_answer: index.count("no_answer") };
      const pairs = labels === null ? new Map<string, number>() : new Map(index.tallies());
      return { ...status, grader, column, total, summary: summarizeGrades({ counts, pairs, labels }) };
    },
  };
  const { close, start, ...runs } = createRuns(kind, parts);

  return {
    close,
    grades: {
      ...runs,
      async start({ batchId, grader, column, readColumn }) {
        checkGrader(grader, column);
        const createHeader = async (index: { readonly total: number }): Promise<GradesHeader> => {
          const labels =
            grader.name === "label" && column !== null ? await readLabels(openColumn(readColumn), column) : null;
          return { version: 1, grader, column: grader.name === "schema" ? null : column, labels, total: index.total };
        };
        return start(batchId, createHeader, readColumn);
      },
      async hasSchemas(batchId) {
        // Somebody is about to choose a grader: the worker starts meanwhile.
        thread.client();
        const count = Math.min(sampleLines, store.batches.get(batchId)?.counts.total ?? 0);
        const lines = await results.lines(
          batchId,
          Array.from({ length: count }, (_, at) => at + 1),
        );
        return lines.some(({ rawRequest }) => schemaOf(rawRequest) !== null);
      },
    },
  };
}

function openColumn(readColumn: ReadColumn | undefined): ReadColumn {
  if (readColumn !== undefined) return readColumn;
  throw refusal("The table that this batch was built from is gone, and with it the expected answers.");
}

/** @throws ServiceError when the grader can't work as it is set up */
function checkGrader(grader: Grader, column: string | null): void {
  if (column === null && grader.name !== "schema") {
    throw new ServiceError("missing_required_parameter", "Choose the column with the expected answers.", "column");
  }
  try {
    createGrader(grader);
  } catch (error) {
    throw error instanceof GraderError ? new ServiceError("invalid_value", error.message, "grader") : error;
  }
}

async function readLabels(readColumn: ReadColumn, column: string): Promise<string[]> {
  try {
    return await collectLabels(readColumn(column, 1));
  } catch (error) {
    throw error instanceof GraderError ? refusal(error.message) : error;
  }
}

interface LineInput {
  readonly line: number;
  readonly input: GradeInput;
}

async function* toInputs(chunks: ReturnType<typeof readBatchLines>, grader: Grader): AsyncGenerator<LineInput[]> {
  for await (const chunk of chunks) {
    yield chunk.map(({ detail: { line, state, answer, rawRequest }, cell }) => ({
      line,
      input: {
        answer: state === "answered" ? answer : null,
        expected: cell,
        schema: grader.name === "schema" ? schemaOf(rawRequest) : null,
      },
    }));
  }
}

const withSchema = z.object({
  body: z.object({
    response_format: z.object({ json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }) }),
  }),
});

/** The JSON schema that a request asks for, as text; null where it asks for none. */
function schemaOf(request: string): string | null {
  const found = withSchema.safeParse(parseJson(request)).data;
  return found === undefined ? null : JSON.stringify(found.body.response_format.json_schema.schema);
}
