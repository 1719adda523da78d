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
import { ServiceError } from "#main/base";
import {
  type ColumnLabels,
  createModelGrader,
  type GradeInput,
  GraderError,
  loadGraders,
  type ModelGraderDeps,
  schemaOf,
  summarizeGrades,
  type Ungraded,
} from "#main/judging";
import type { ReadColumn } from "#main/results";
import type { Store } from "#main/storage";
import { readBatchLines } from "./batch-lines.ts";
import type { JudgeThread } from "./judge-thread.ts";
import { toPrompt } from "./line-texts.ts";
import { createRunFiles, type Outcome, type RunFiles } from "./run-file.ts";
import { createRuns, type RunDeps, type RunKind, refusal, type Work } from "./runs.ts";
import { type OpenQueue, type WorkTarget, workInChunks, workThroughEngine } from "./work.ts";

export interface StartGrading {
  readonly batchId: string;
  readonly grader: Grader;
  /** The column with the expected answers; null for a grader that needs none. */
  readonly column: string | null;
  /** Needed where there is a column. */
  readonly readColumn?: ReadColumn;
}

/** Compares the answers of whole batches with the expected ones, in the background. */
export interface Grades {
  /** Null when the batch has never been graded. */
  get(batchId: string): Promise<GradeRun | null>;
  /** Whether some of its requests ask for JSON by a schema; judged by the first hundred. */
  hasSchemas(batchId: string): Promise<boolean>;
  /** Starts all of them over, or none: fails with a ServiceError when a batch has not ended, or is being graded. */
  start(batches: readonly StartGrading[]): Promise<GradeRun[]>;
  /** Continues where a run stopped; one that is running or done is left as it is. */
  resume(batchId: string, readColumn?: ReadColumn): Promise<GradeRun>;
  /** What was being graded is given up; resolves when no more grades come. */
  cancel(batchId: string): Promise<GradeRun>;
  /** Calls the listener with every change, merged to at most four a second for each batch. The answer stops it. */
  subscribe(listener: (run: GradeRun) => void): () => void;
  /** Those that are under way. */
  listRunning(): GradeRun[];
  /** Null for a line that has no grade. */
  line(batchId: string, line: number): Promise<LineGrade | null>;
  /** Resolves when the batch is not being graded (any more). */
  settled(batchId: string): Promise<GradeRun | null>;
}

/** The first line of a file of grades: what they are of, and how they came about. */
const gradesHeaderSchema = z.object({
  version: z.literal(1),
  grader: graderSchema,
  column: z.string().nullable(),
  /** The different values of the column; null where they are too many for a table of them. */
  labels: z.array(z.string()).nullable(),
  /** The different values of its cells, for answers that are lists. */
  items: z.array(z.string()).nullable().default(null),
  /** Lines of the batch. */
  total: z.int().min(0),
});
type GradesHeader = Readonly<z.infer<typeof gradesHeaderSchema>>;

export type GradeFiles = RunFiles<GradesHeader, Grade, LineGrade>;

/** The files of the grades of batches, which need not be there yet. */
export function createGradeFiles({ gradesDir: folder, durability, notices }: Store): GradeFiles {
  return createRunFiles({
    folder,
    durability,
    notices,
    headerSchema: gradesHeaderSchema,
    marks: gradeSchema.options,
    resultSchema: lineGradeSchema,
  });
}

/** What has to be done with a graded line besides storing its result. */
function toOutcome(grade: LineGrade, tally: Outcome<Grade>["tally"]): Outcome<Grade> {
  return { mark: grade.grade, tally, result: JSON.stringify(grade) };
}

export interface GradesDeps extends RunDeps, WorkerDeps {
  readonly files: GradeFiles;
}

interface WorkerDeps {
  readonly thread: JudgeThread;
  /** What a model grades with. */
  readonly model: ModelGraderDeps;
  readonly openQueue: OpenQueue;
}

/** The grading of batches. */
export function createGrades(parts: GradesDeps): {
  readonly grades: Grades;
  isRunning(batchId: string): boolean;
  /** Gives up what is in work; what has come of the batch stays. */
  stop(batchId: string): Promise<void>;
  /** Judges answers that came late by the rules, where these have judged the others. */
  judgeLate(batchId: string, lines: number, readColumn: ReadColumn | undefined): Promise<void>;
  /** Gives up what is in work, and removes what has come of the batch. */
  forget(batchId: string): Promise<void>;
  close(): Promise<void>;
} {
  const { files } = parts;

  const kind: RunKind<GradesHeader, Grade, LineGrade, GradeRun> = {
    files,
    participle: "graded",
    // What is awaited is graded once it has come.
    countLines: ({ total }, { counts }) => total - (counts.awaited ?? 0),
    isByRules: ({ grader }) => grader.name !== "model",
    prepare({ grader, column, labels, items }, readColumn) {
      const read = column === null ? null : openColumn(readColumn);
      const readCells = column === null || read === null ? null : (from: number) => read(column, from);
      const gradeLines = chooseWork(grader, { labels, items }, parts);
      return ({ index, outcomes, readLines, ...target }) => {
        const isWanted = (line: number) => outcomes.mark(line) === null && !index.isAwaited(line);
        const lines = readBatchLines({ index, isWanted, readLines, readCells });
        return gradeLines(toInputs(lines, grader), target);
      };
    },
    describe: ({ header, index }, status, total) => {
      const { grader, column, labels, items } = header;
      const counts = {
        pass: index.count("pass"),
        fail: index.count("fail"),
        no_answer: index.count("no_answer"),
        no_expected: index.count("no_expected"),
      };
      const tallies = new Map(index.tallies());
      return { ...status, grader, column, total, summary: summarizeGrades({ counts, tallies, labels, items }) };
    },
  };
  const { close, forget, stop, isRunning, judgeLate, startAll, sample, ...runs } = createRuns(kind, parts);

  return {
    isRunning,
    judgeLate,
    stop,
    forget,
    close,
    grades: {
      ...runs,
      start: (batches) =>
        startAll(
          batches.map(({ batchId, grader, column, readColumn }) => ({
            batchId,
            readColumn,
            async createHeader({ total }) {
              await checkGrader(grader, column);
              const compared = grader.name === "schema" ? null : column;
              const { labels, items } =
                compared === null
                  ? { labels: null, items: null }
                  : await readLabels(openColumn(readColumn)(compared, 1), grader);
              return {
                version: 1,
                grader,
                column: compared,
                labels: labels && [...labels],
                items: items && [...items],
                total,
              };
            },
          })),
        ),
      async hasSchemas(batchId) {
        const lines = await sample(batchId);
        return lines.some(({ rawRequest }) => schemaOf(rawRequest) !== null);
      },
    },
  };
}

type GradeLines = (chunks: AsyncIterable<readonly LineInput[]>, target: WorkTarget<Grade>) => ReturnType<Work<Grade>>;

/** @throws ServiceError when the model can't be had */
function chooseWork(grader: Grader, columnLabels: ColumnLabels, { thread, model, openQueue }: WorkerDeps): GradeLines {
  const { labels, items } = columnLabels;
  if (grader.name !== "model") {
    const grade = async (inputs: readonly LineInput[], signal: AbortSignal) => {
      const answers = inputs.map(({ answer, expected, schema }) => ({ answer, expected, schema }));
      const graded = await thread
        .client()
        .grade({ grader, labels: labels && [...labels], items: items && [...items], answers }, { signal });
      return graded.map(({ grade: found, tally }) => toOutcome(found, tally));
    };
    return async (chunks, target) => {
      await workInChunks(chunks, grade, target);
      return null;
    };
  }
  const asked = createModelGrader(grader, model);
  return async (chunks, target) => {
    const { createTally } = await loadGraders();
    const tally = createTally(grader, columnLabels);
    const ungraded: Ungraded[] = [];
    const grade = async (input: LineInput, signal: AbortSignal) => {
      const found = await asked.grade(input, signal);
      if (!("problem" in found)) return toOutcome(found, tally(input, found));
      ungraded.push(found);
      return null;
    };
    await workThroughEngine(chunks, grade, target, await openQueue(grader.connectionId));
    const [first] = ungraded;
    if (first === undefined) return null;
    const lines = ungraded.length === 1 ? "1 line has" : `${ungraded.length.toLocaleString("en")} lines have`;
    return `${lines} no grade: ${first.problem}. Resume to ask again.`;
  };
}

function openColumn(readColumn: ReadColumn | undefined): ReadColumn {
  if (readColumn !== undefined) return readColumn;
  throw refusal("The table that this batch was built from is gone, and with it the expected answers.");
}

/** @throws ServiceError when the grader can't work as it is set up */
async function checkGrader(grader: Grader, column: string | null): Promise<void> {
  if (column === null && grader.name !== "schema" && grader.name !== "model") {
    throw new ServiceError("missing_required_parameter", "Choose the column with the expected answers.", "column");
  }
  if (grader.name === "model") return;
  const { createGrader } = await loadGraders();
  try {
    createGrader(grader);
  } catch (error) {
    throw error instanceof GraderError ? new ServiceError("invalid_value", error.message, "grader") : error;
  }
}

async function readLabels(cells: ReturnType<ReadColumn>, grader: Grader): Promise<ColumnLabels> {
  const { collectLabels } = await loadGraders();
  try {
    return await collectLabels(cells, grader);
  } catch (error) {
    throw error instanceof GraderError ? refusal(error.message) : error;
  }
}

interface LineInput extends GradeInput {
  readonly line: number;
  readonly prompt: string;
}

async function* toInputs(chunks: ReturnType<typeof readBatchLines>, grader: Grader): AsyncGenerator<LineInput[]> {
  for await (const chunk of chunks) {
    yield chunk.map(({ detail: { line, state, answer, messages, rawRequest }, cell }) => ({
      line,
      prompt: toPrompt(messages),
      answer: state === "answered" ? answer : null,
      expected: cell,
      schema: grader.name === "schema" ? schemaOf(rawRequest) : null,
    }));
  }
}
