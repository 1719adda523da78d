import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { verdictCountsSchema } from "../claim-counts.ts";
import { mostShownColumns, sourceColumnsSchema } from "../default-columns.ts";
import { columnPathSchema, rowShape, toSummaryShape } from "../result-columns.ts";
import { resultFilterSchema, resultSortSchema, valueListSchema } from "../result-filter.ts";
import { chatMessageSchema } from "../wire/chat.ts";
import { procedure } from "./errors.ts";

/** Where an answer breaks the JSON schema that its request asks for: `answer`, or the path of a column, with a sentence why. */
export const misfitSchema = z.object({ path: z.string(), why: z.string() });
export type Misfit = z.infer<typeof misfitSchema>;

/** Of an answer that could not be held against its schema. */
export const uncheckedMisfit: Misfit = { path: "", why: "The answer could not be checked against its schema." };

/** Whether an answer is known to break its schema. */
export function breaksSchema(misfits: readonly Misfit[] = []): boolean {
  return misfits.some(({ path }) => path !== uncheckedMisfit.path);
}

/** How an answer breaks its schema, or that it could not be checked, in sentences. */
export function explainMisfits(misfits: readonly Misfit[]): string {
  const why = misfits.map((misfit) => misfit.why).join(" ");
  return breaksSchema(misfits) ? `Breaks the schema: ${why}` : why;
}

/** The misfit of a column: of its value, or of something in it. */
export function findMisfit(misfits: readonly Misfit[] = [], column: string): Misfit | undefined {
  return misfits.find(({ path }) => `${path}.`.startsWith(`${column}.`));
}

export const rowValuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** One line of a batch: its request joined with its result. Texts over 300 characters are cut for the table, and end with "…". */
export const resultRowSchema = z.object({
  ...rowShape,
  /** Its claims by verdict; null for a line that has not been verified. */
  claims: verdictCountsSchema.nullable(),
  /** Whether its answer was taken from another line that had the same request, and cost nothing. */
  reused: z.boolean(),
  /**
   * The values of an answer that is JSON, by their path (`answer.score`), and the cells of the columns of its table that were
   * asked for (`source.city`). Long ones are cut. A number that JavaScript would print otherwise than it was written is text.
   */
  values: rowValuesSchema,
  /** Left out where the answer fits its schema, where none was asked for, and where nothing looked. */
  misfits: z.array(misfitSchema).optional(),
});
export type ResultRow = z.infer<typeof resultRowSchema>;

/** One line of a batch in full, for the inspector. */
export const resultDetailSchema = resultRowSchema.extend({
  /** Where it was asked: of a merged line that may be a retry, with a number of its own there. */
  asked: z.object({ batchId: z.string(), line: z.int() }),
  /** Data of pictures is cut off behind its type: `picture` has it. */
  messages: z.array(chatMessageSchema),
  /** The whole answer, or the whole error message. */
  answer: z.string(),
  /** The tools that the answer calls; the input is mostly the JSON text of an object. */
  calls: z.array(z.object({ name: z.string(), input: z.string() })).readonly(),
  /** The texts of the second choice and those after it. */
  otherChoices: z.array(z.string()).readonly(),
  /** What the model thought before its answer; null where that is not known. */
  reasoning: z.string().nullable(),
  /** Addresses of the answer's pictures; the data itself for those that came along. */
  pictures: z.array(z.string()).readonly(),
  /** Of a failed line: what came of its answer all the same, as text; null for nothing. */
  partial: z.string().nullable(),
  model: z.string(),
  /** Null where the service did not count the prompt, or the answer. */
  cachedTokens: z.int().nullable().optional(),
  cacheWriteTokens: z.int().nullable().optional(),
  reasoningTokens: z.int().nullable().optional(),
  requestId: z.string().nullable(),
  statusCode: z.int().nullable(),
  /** The line of the input file, byte for byte as text. */
  rawRequest: z.string(),
  /** The line of the output or error file; null while waiting. */
  rawResponse: z.string().nullable(),
});
export type ResultDetail = z.infer<typeof resultDetailSchema>;

/** A picture that a request sends. */
export const sentPictureSchema = z.object({
  /** Its address, or of data that came along its type and size. */
  name: z.string(),
  /** The data as a `data:` address; null where it is elsewhere, or can't be shown. */
  url: z.string().nullable(),
  /** Why it can't be shown; null for one that can, and for an address, which isn't fetched. */
  problem: z.string().nullable(),
});
export type SentPicture = z.infer<typeof sentPictureSchema>;

/** Whether each line comes with the newest answer that the batch or one of its retries has. */
const merged = z.boolean().optional();
const valueCountSchema = z.object({
  value: z.string(),
  count: z.int(),
  /** The first line that has it. */
  firstLine: z.int(),
});
export type ValueCount = z.infer<typeof valueCountSchema>;

/** Numbers as counts of ranges: `counts[0]` is of those from `start` up to `start + step`. */
const histogramSchema = z.object({
  count: z.int(),
  sum: z.number(),
  least: z.number(),
  most: z.number(),
  median: z.number(),
  p95: z.number(),
  start: z.number(),
  step: z.number(),
  counts: z.array(z.int()),
});
export type Histogram = z.infer<typeof histogramSchema>;

/** The range that `counts[at]` is of: up to but not including `to`, without the noise of adding up parts of a number. */
export function histogramRange({ start, step }: Pick<Histogram, "start" | "step">, at: number) {
  const edge = (place: number) => Number((start + place * step).toPrecision(12));
  return { from: edge(at), to: edge(at + 1) };
}

/** The results of lines, counted: of each column its values, the most frequent first. */
export const resultSummarySchema = z.object({
  lines: z.int(),
  models: z.array(valueCountSchema),
  /** The claims of verified answers by verdict; null where none is verified. */
  claims: verdictCountsSchema.nullable(),
  /** A histogram is null where no number is known. */
  ...toSummaryShape(z.array(valueCountSchema), histogramSchema.nullable()),
});
export type ResultSummary = z.infer<typeof resultSummarySchema>;

/** Lines with the same value of a column, or numbers of one range. */
const chartGroupSchema = z.object({
  value: z.string(),
  /** Whether `value` is only its beginning. */
  isCut: z.boolean(),
  /** Up to but not including `to`; null for a value. */
  range: z.object({ from: z.number(), to: z.number() }).nullable(),
  count: z.int(),
  /** What a measure comes to: for how many lines it is known, their mean, and how many have which of its values. Grades are those that accuracy is of. */
  measured: z.object({ lines: z.int(), mean: z.number().nullable(), counts: z.array(z.int()) }).nullable(),
});
export type ChartGroup = z.infer<typeof chartGroupSchema>;

/** Lines by the values of a column, and what another one comes to in each group. */
export const resultChartSchema = z.object({
  lines: z.int(),
  /** Those that have a value. */
  known: z.int(),
  /** Those whose value is missing, null or blank, as the condition `empty` counts them. */
  empty: z.int(),
  /** True where most values are objects: they are no categories. */
  areObjects: z.boolean(),
  /** Of a column of many different numbers; null for any other. */
  histogram: histogramSchema.nullable(),
  /** True where values are neither numbers nor few: there are no groups then. */
  hasTooManyValues: z.boolean(),
  /** Ranges in their order; of values those of most lines. */
  groups: z.array(chartGroupSchema),
  /** Null where none was asked for. `values`: those of most lines, as they are counted in each group; none of numbers. */
  measure: z.object({ areNumbers: z.boolean(), values: z.array(z.string()) }).nullable(),
});
export type ResultChart = z.infer<typeof resultChartSchema>;

const batchText = {
  batchId: z.string(),
  text: z.string().min(1).max(500),
  filter: resultFilterSchema.optional(),
  merged,
};

/** How far a search is, and how many lines it has found so far of those that are shown. */
export const searchProgressSchema = z.object({ hits: z.int(), bytes: z.int(), size: z.int(), isDone: z.boolean() });
export type SearchProgress = z.infer<typeof searchProgressSchema>;

/** A line that holds the text: its row from 0, and which hit it is, from 1. */
export const resultHitSchema = z.object({ row: z.int(), line: z.int(), place: z.int() });
export type ResultHit = z.infer<typeof resultHitSchema>;

/** How far something is that lines are read by, in bytes or lines: their index, or columns that are not in memory. */
export const preparationSchema = z.object({
  step: z.enum(["indexing", "reading"]),
  bytes: z.int(),
  size: z.int(),
});
export type Preparation = z.infer<typeof preparationSchema>;

/** Columns of the table that the batch was built from, for each row. */
export const wantedSourceColumns = z.array(z.string()).max(mostShownColumns).optional();

/** Rows `offset` … `offset + limit - 1` of those that the filter leaves, in the order of the input file unless they are sorted. */
const rowsInput = z.object({
  batchId: z.string(),
  offset: z.int().min(0),
  limit: z.int().min(1).max(500),
  filter: resultFilterSchema.optional(),
  sort: resultSortSchema.optional(),
  merged,
});

export const resultsContract = {
  /** Rows, once all has been read that they depend on. */
  page: procedure.input(rowsInput).output(z.object({ total: z.int(), rows: z.array(resultRowSchema) })),
  /**
   * Rows as they are found. `total` is how many there are so far, null while none is known; `progress` is how far that is
   * which they depend on, null in the last event. Reading stops when the stream is closed.
   */
  rows: procedure
    .input(
      rowsInput.extend({
        sourceColumns: wantedSourceColumns,
        /** Other columns that are read meanwhile: of a chart. */
        columns: z.array(columnPathSchema).max(2).optional(),
      }),
    )
    .output(
      eventIterator(
        z.object({
          total: z.int().nullable(),
          rows: z.array(resultRowSchema),
          progress: preparationSchema.nullable(),
        }),
      ),
    ),
  /** The same rows with whole texts and all of their values: what is copied is never what was cut for the table. */
  wholeRows: procedure
    .input(rowsInput.extend({ limit: z.int().min(1).max(200), sourceColumns: wantedSourceColumns }))
    .output(z.array(resultRowSchema)),
  /** The row of a line, from 0, among those that the filter leaves; null when it is not one of them. */
  rowOf: procedure
    .input(
      z.object({
        batchId: z.string(),
        line: z.int().min(1),
        filter: resultFilterSchema.optional(),
        sort: resultSortSchema.optional(),
        merged,
      }),
    )
    .output(z.int().nullable()),
  /** The fields of the answers that are columns, empty for answers in text; null before enough answers have come. */
  answerFields: procedure.input(z.object({ batchId: z.string() })).output(z.array(z.string()).nullable()),
  /** The columns of the batch's source table, and which of them its requests use. */
  sourceColumns: procedure.input(z.object({ batchId: z.string() })).output(sourceColumnsSchema),
  line: procedure.input(z.object({ batchId: z.string(), line: z.int().min(1), merged })).output(resultDetailSchema),
  /** A picture of a line's request, from 0. `small`: it is refused where it is too large to be drawn small in many rows. */
  picture: procedure
    .input(
      z.object({
        batchId: z.string(),
        line: z.int().min(1),
        place: z.int().min(0),
        small: z.boolean().optional(),
        merged,
      }),
    )
    .output(sentPictureSchema),
  /** Looks for a text, in any case, in the requests and answers of all lines. Ends when it has been through, or no one listens. */
  search: procedure.input(z.object(batchText)).output(eventIterator(searchProgressSchema)),
  /** The next line that holds the text after the row `from`, or before it, going round at the end; null when none does. */
  findHit: procedure
    .input(z.object({ ...batchText, sort: resultSortSchema.optional(), from: z.int().min(-1), backwards: z.boolean() }))
    .output(resultHitSchema.nullable()),
  /** Several lines in full, in the order that is asked for. */
  lines: procedure
    .input(z.object({ batchId: z.string(), lines: z.array(z.int().min(1)).max(200), merged }))
    .output(z.array(resultDetailSchema)),
  /** Stores values with a batch, for conditions with more of them than an address has room for. The same values have the same id. */
  keepList: procedure
    .input(z.object({ batchId: z.string(), values: valueListSchema }))
    .output(z.object({ id: z.string() })),
  /** The numbers of the lines that the filter leaves. */
  numbers: procedure
    .input(z.object({ batchId: z.string(), filter: resultFilterSchema.optional(), merged }))
    .output(z.array(z.int())),
  /** The lines that the filter leaves, counted. */
  summary: procedure
    .input(z.object({ batchId: z.string(), filter: resultFilterSchema.optional(), merged }))
    .output(resultSummarySchema),
  /** How many answers break the JSON schemas of their requests, of those that are there. */
  countMisfits: procedure.input(z.object({ batchId: z.string(), merged })).output(z.int()),
  /** The lines that the filter leaves by the values of a column, with what `measure` comes to; null without lines. */
  chart: procedure
    .input(
      z.object({
        batchId: z.string(),
        filter: resultFilterSchema.optional(),
        column: columnPathSchema,
        measure: columnPathSchema.optional(),
        merged,
      }),
    )
    .output(resultChartSchema.nullable()),
};
