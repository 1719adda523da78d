import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { procedure } from "./errors.ts";

/**
 * How a cell with several values is read: the answer is one of them, or has all of them and no other. Without a separator it
 * is a JSON list, else it is split at the first of `|`, `;` and `,` that it has.
 */
export const cellReadingSchema = z.object({
  as: z.enum(["any", "set"]),
  separator: z.string().min(1).max(20).optional(),
});
export type CellReading = z.infer<typeof cellReadingSchema>;

/** Absent where the cell is one value. */
const cell = cellReadingSchema.optional();

/** How an answer is compared with the expected one by rules. */
export const rulesGraderSchema = z.discriminatedUnion("name", [
  /** The answer is the expected text, character by character. */
  z.object({ name: z.literal("exact"), cell }),
  /** The same without case, spaces and punctuation. */
  z.object({ name: z.literal("text"), cell }),
  /** The last number of the answer, or the one after `####`, is at most so far from the expected one. */
  z.object({ name: z.literal("number"), tolerance: z.number().min(0), cell }),
  /** The expected text is in the answer; with `wholeWords`, not within longer words. */
  z.object({ name: z.literal("contains"), wholeWords: z.boolean().optional(), cell }),
  /** The answer names one of the column's values, and it is the expected one. */
  z.object({ name: z.literal("label"), cell }),
  /** The expected value is a pattern (RE2) that the answer matches. */
  z.object({ name: z.literal("regex"), cell }),
  /**
   * The answer is JSON, and what is at the path (`$.items[0].name`) is the expected value. A list there has the values of the
   * cell, in any order.
   */
  z.object({
    name: z.literal("json"),
    path: z.string().min(1).max(1_000),
    /** Whether the order of a list counts. */
    ordered: z.boolean().optional(),
    cell,
  }),
  /** The answer is JSON that is valid by the JSON schema of its own request. */
  z.object({ name: z.literal("schema") }),
]);
export type RulesGrader = z.infer<typeof rulesGraderSchema>;

export const graderSchema = z.discriminatedUnion("name", [
  ...rulesGraderSchema.options,
  /** A model decides by a rubric; it is given the expected value where there is a column. */
  z.object({
    name: z.literal("model"),
    model: z.string().min(1),
    /** The connection whose model it is; this computer's engine answers for it by default. */
    connectionId: z.string().optional(),
    rubric: z.string().trim().min(1).max(20_000),
  }),
]);
export type Grader = z.infer<typeof graderSchema>;

/** The result of one line; `no_answer` where its request has none, `no_expected` where its row expects none. */
export const gradeSchema = z.enum(["pass", "fail", "no_answer", "no_expected"]);
export type Grade = z.infer<typeof gradeSchema>;

/** One line's grade with its evidence. Long texts are cut. */
export const lineGradeSchema = z.object({
  /** The expected value, as the grader read it; null where it needs none. */
  expected: z.string().nullable(),
  /** What the grader took from the answer: its number, its label, the value at the path; null where there is none. */
  given: z.string().nullable(),
  grade: gradeSchema,
  /** One sentence. */
  why: z.string(),
});
export type LineGrade = z.infer<typeof lineGradeSchema>;

/**
 * The paths by which lines are filtered by their labels. Of a line that was given another text, the given label is empty;
 * without a table of labels, all are.
 */
export const labelPaths = { expected: "grade.expected", given: "grade.given" } as const;

/** How often each label was expected and given; lines without an answer are left out. */
export const labelTableSchema = z.object({
  /** In the order of the column. Null where there is nothing to divide by. */
  labels: z.array(z.object({ label: z.string(), precision: z.number().nullable(), recall: z.number().nullable() })),
  /** A row for each expected label; in it a count for each given label, and last that of answers that gave anything else. */
  counts: z.array(z.array(z.int())),
  /** Whether answers are lists of labels: a missed label is counted under each label that was given instead. */
  areLists: z.boolean(),
});
export type LabelTable = z.infer<typeof labelTableSchema>;

export const gradeSummarySchema = z.object({
  /** Lines with a grade: those that passed, that failed, and that have no answer. */
  graded: z.int(),
  passed: z.int(),
  failed: z.int(),
  noAnswer: z.int(),
  /** Lines that were passed over, as their rows have no expected answer. */
  noExpected: z.int(),
  /** passed / (passed + failed); null while both are 0. */
  accuracy: z.number().nullable(),
  /** The accuracy's 95 % interval (Wilson): its lower and its upper end. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Null where there is no expected value, and where more than 100 different ones are expected. */
  labels: labelTableSchema.nullable(),
  /** What all failed answers have in common, as a sentence such as "The answer is no JSON."; null where that is nothing. */
  failure: z.string().nullable(),
});
export type GradeSummary = z.infer<typeof gradeSummarySchema>;

/** How far the grading of a batch is. */
export const gradeRunSchema = z.object({
  batchId: z.string(),
  /** `stopped`: cancelled or cut off by the end of the app; it can be resumed. */
  state: z.enum(["running", "stopped", "done", "failed"]),
  grader: graderSchema,
  /** The column with the expected values; null for a grader that needs none. */
  column: z.string().nullable(),
  /** Lines of the batch, and how many of them have a grade. */
  total: z.int(),
  done: z.int(),
  summary: gradeSummarySchema,
  /** Lines a second; null when not running. */
  rate: z.number().nullable(),
  /** Milliseconds. */
  timeLeft: z.number().nullable(),
  /** Why it failed; null otherwise. */
  problem: z.string().nullable(),
});
export type GradeRun = z.infer<typeof gradeRunSchema>;

/** A batch that can be graded with the one on screen. */
export const gradableSchema = z.object({
  batchId: z.string(),
  name: z.string(),
  answers: z.int(),
  /** Whether it has grades that a new run replaces. */
  isGraded: z.boolean(),
  /** Why it can't be graded now, as a sentence; null when it can. */
  problem: z.string().nullable(),
});
export type Gradable = z.infer<typeof gradableSchema>;

/** What a batch can be graded by, and which ones with it. */
export const gradeOptionsSchema = z.object({
  /** What fits the answers and the expected ones best. */
  grader: z.enum(["json", "number", "text"]),
  /** Of the table that it was built from; empty when that is gone or unknown. */
  columns: z.array(z.string()),
  /** The column that by its name, else by its values, has the expected answers; null where none does. */
  expectedColumn: z.string().nullable(),
  /** Where the value that is compared is in answers that are JSON; null where none is known. */
  answerPath: z.string().nullable(),
  /** The same for every column that has such a path. */
  columnPaths: z.record(z.string(), z.string()),
  /** The paths of answers that are JSON objects, the most frequent first; empty where fewer than half are. */
  paths: z.array(z.string()),
  /** The batch, the other versions of its prompt, and the retries of each. */
  batches: z.array(gradableSchema),
});
export type GradeOptions = z.infer<typeof gradeOptionsSchema>;

const batchInput = z.object({ batchId: z.string() });

export const gradesContract = {
  /** Null when the batch has never been graded. */
  get: procedure.input(batchInput).output(gradeRunSchema.nullable()),
  options: procedure.input(batchInput).output(gradeOptionsSchema),
  /** Whether some of its requests ask for JSON by a schema. */
  hasSchemas: procedure.input(batchInput).output(z.boolean()),
  /** Starts all of them over with the grader, or none; grades of earlier runs are replaced. */
  start: procedure
    .input(
      z.object({
        batchIds: z.array(z.string()).min(1).max(1_000),
        grader: graderSchema,
        column: z.string().nullable(),
      }),
    )
    .output(z.array(gradeRunSchema)),
  /** Continues a stopped run with the lines that are left. */
  resume: procedure.input(batchInput).output(gradeRunSchema),
  cancel: procedure.input(batchInput).output(gradeRunSchema),
  /** Every change of a batch's run, merged to at most four a second. */
  watch: procedure.output(eventIterator(gradeRunSchema)),
  /** Null for a line that has no grade. */
  line: procedure.input(batchInput.extend({ line: z.int().min(1) })).output(lineGradeSchema.nullable()),
};
