import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { problemGroupSchema, problemSchema } from "../problems.ts";
import { messageRoles } from "../wire/chat.ts";
import { procedure } from "./errors.ts";
import { resultRowSchema } from "./results.ts";

/** How a table of text is laid out. Guessed from its first bytes; what the user sets wins. */
export const csvLayoutSchema = z.object({
  delimiter: z.enum([",", ";", "\t", "|"]),
  header: z.boolean(),
});
export type CsvLayout = z.infer<typeof csvLayoutSchema>;

/** The encodings of text that can be chosen, by the names of the Encoding Standard. */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "iso-8859-15",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
] as const;
export const encodingSchema = z.enum(encodings);
export type Encoding = z.infer<typeof encodingSchema>;

/** What a first pass noticed about a table. The counts are null where it does not look at every cell. */
export const sourceNotesSchema = z.object({
  emptyCells: z.int().nullable(),
  /** Rows with more or fewer cells than there are columns. */
  raggedRows: z.int().nullable(),
  /** Columns whose name in the file is that of one before them, by the name they were given: `name_2`. */
  renamed: z.array(z.string()),
});
export type SourceNotes = z.infer<typeof sourceNotesSchema>;

/**
 * A file of questions that Build reads. `rows` fill a prompt; `requests` is a file that is a batch input
 * already and is sent as it stands.
 */
export const sourceSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["csv", "jsonl", "json", "xlsx", "parquet"]),
  holds: z.enum(["rows", "requests"]),
  bytes: z.int(),
  rowCount: z.int(),
  columns: z.array(z.string()),
  /** Of text with delimiters and of workbooks, whose delimiter has no meaning. */
  csv: csvLayoutSchema.nullable(),
  /** Null for a file that is not text. */
  encoding: encodingSchema.nullable(),
  /** The sheet of a workbook that is read, and all that it has. */
  sheet: z.string().nullable().default(null),
  sheets: z.array(z.string()).default([]),
  notes: sourceNotesSchema.default({ emptyCells: null, raggedRows: null, renamed: [] }),
  /** The lines of a file of requests that were edited here, in their order. */
  editedLines: z.array(z.int()).default([]),
});
export type Source = z.infer<typeof sourceSchema>;

/** How a file is read: guessed at first, and what the user sets wins. A null `csv` is guessed anew where the file has one. */
export const sourceLayoutSchema = sourceSchema.pick({ csv: true, encoding: true, sheet: true });
export type SourceLayout = z.infer<typeof sourceLayoutSchema>;

/** How far the reading of an uploaded file is, in bytes and rows; the source at its end. */
export const sourceProgressSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("reading"), bytes: z.int(), total: z.int(), rows: z.int() }),
  z.object({ phase: z.literal("read"), source: sourceSchema }),
]);
export type SourceProgress = z.infer<typeof sourceProgressSchema>;

/** One row: the text of each cell by column; for a file of requests, the raw line under `line`. */
export const sourceRowSchema = z.object({ row: z.int(), cells: z.record(z.string(), z.string()) });
export type SourceRow = z.infer<typeof sourceRowSchema>;

/** The first rows of a file that is still on its way in, or still being read. */
export const sourceGlimpseSchema = z.object({ columns: z.array(z.string()), rows: z.array(sourceRowSchema) });
export type SourceGlimpse = z.infer<typeof sourceGlimpseSchema>;

/** The most bytes of one `append`. */
export const sourceChunkBytes = 1024 * 1024;

/** The most characters of a line that is edited. */
const longestEditedLine = 4 * 1024 * 1024;

/** The tables that ship with the app, with what they ask. */
export const exampleNameSchema = z.enum(["gsm8k-200", "reviews-200", "halueval-qa-200"]);
export type ExampleName = z.infer<typeof exampleNameSchema>;

export const sourcesContract = {
  /** Starts the upload of a dropped file. The name decides between the kinds where the content does not. */
  begin: procedure.input(z.object({ name: z.string().min(1).max(255) })).output(z.object({ id: z.string() })),
  /** The next bytes, in order: `offset` is how many went before. */
  append: procedure
    .input(
      z.object({
        id: z.string(),
        offset: z.int().min(0),
        chunk: z.instanceof(Blob).refine((blob) => blob.size <= sourceChunkBytes, "A chunk holds at most 1 MiB."),
      }),
    )
    .output(z.object({ bytes: z.int() })),
  /**
   * Ends the upload: guesses the layout, counts and indexes the rows. Ends after the event that has the source. Abort it to
   * stop the work: nothing is left of the file then.
   */
  finish: procedure.input(z.object({ id: z.string() })).output(eventIterator(sourceProgressSchema)),
  /** Drops an upload that is not finished, or a source that no draft uses. */
  discard: procedure.input(z.object({ id: z.string() })),
  get: procedure.input(z.object({ id: z.string() })).output(sourceSchema),
  /** Reads the source anew in another layout: delimiter and header row, encoding, or sheet. */
  setLayout: procedure.input(sourceLayoutSchema.extend({ id: z.string() })).output(sourceSchema),
  /** The first rows of an upload as far as it is here; null where they can't be told from its first part. */
  glimpse: procedure.input(z.object({ id: z.string() })).output(sourceGlimpseSchema.nullable()),
  /** Puts a text in the place of a line of a file of requests; null puts back what the file has. */
  editLine: procedure
    .input(z.object({ id: z.string(), line: z.int().min(1), text: z.string().max(longestEditedLine).nullable() }))
    .output(sourceSchema),
  rows: procedure
    .input(z.object({ id: z.string(), offset: z.int().min(0), limit: z.int().min(1).max(200) }))
    .output(z.object({ total: z.int(), rows: z.array(sourceRowSchema) })),
  /** Copies a shipped example in as a source. */
  example: procedure.input(z.object({ name: exampleNameSchema })).output(sourceSchema),
};

/** What the answers are: text unless told, any JSON object, or JSON by a schema, which is kept as it was typed. */
export const answerFormatSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("json_object") }),
  z.object({ type: z.literal("json_schema"), name: z.string(), schema: z.string(), strict: z.boolean() }),
]);
export type AnswerFormat = z.infer<typeof answerFormatSchema>;

/** What Build makes requests from: one message template for each role turn, and the parameters of all lines. */
export const requestTemplateSchema = z.object({
  messages: z.array(
    z.object({
      role: z.enum(messageRoles),
      content: z.string(),
      /** The column that has the address of an image, or the path of its file. */
      imageColumn: z.string().optional(),
    }),
  ),
  /** Where the requests are answered; null for this computer. */
  connectionId: z.string().nullable().default(null),
  model: z.string(),
  /** Models that are asked the same, each in a batch of its own. */
  otherModels: z.array(z.string()).optional(),
  temperature: z.number().nullable(),
  maxCompletionTokens: z.int().nullable(),
  answerFormat: answerFormatSchema.optional(),
  /** Parameters without a field of their own, as the text of a JSON object. */
  further: z.string().optional(),
  /** A template, too: `gsm8k-{{ id }}`. `{{ row_number }}` counts the rows from 1. */
  customId: z.string(),
});
export type RequestTemplate = z.infer<typeof requestTemplateSchema>;

/** Which rows of the source become requests. */
export const rowsSchema = z.object({
  /** `random` takes the same rows of the same content each time. */
  take: z.enum(["all", "first", "last", "random"]),
  /** How many, unless all are taken. */
  count: z.int().min(1),
  /** Rows with errors are left out, instead of keeping the batch from running. */
  skipFaulty: z.boolean(),
  /** Requests that the connection has answered before take those answers. */
  reuse: z.boolean().default(true),
  /** Requests that are the same are asked once, at a connection, and answered for all. */
  onceIdentical: z.boolean().default(false),
});
export type Rows = z.infer<typeof rowsSchema>;

/** What a draft starts with. */
export const allRows: Rows = { take: "all", count: 100, skipFaulty: false, reuse: true, onceIdentical: false };

/** A batch that is being built. Saved as the user types. */
export const draftSchema = z.object({
  id: z.string(),
  name: z.string().max(200),
  sourceId: z.string().nullable(),
  template: requestTemplateSchema,
  rows: rowsSchema.default(allRows),
  /** The batch that was last submitted from it; absent while there is none. */
  batchId: z.string().optional(),
  /** How often it has been saved. A save names the revision that it was made from. */
  revision: z.int().min(0),
  /** Unix milliseconds of the last change. */
  updatedAt: z.number(),
});
export type Draft = z.infer<typeof draftSchema>;

export const draftsContract = {
  /** The latest changed first. */
  list: procedure.output(z.array(draftSchema)),
  create: procedure
    .input(z.object({ name: z.string().max(200).optional(), connectionId: z.string().nullable().default(null) }))
    .output(draftSchema),
  get: procedure.input(z.object({ id: z.string() })).output(draftSchema),
  /**
   * A new draft of a batch: `copy` has the table, prompt and settings that it was built from, `lines` its input file, to be
   * sent as it stands. Where it is not known any more what it was built from, `copy` is the same as `lines`.
   */
  fromBatch: procedure.input(z.object({ batchId: z.string(), as: z.enum(["copy", "lines"]) })).output(draftSchema),
  /**
   * Answers with the draft as it is stored, `updatedAt` and its next revision included. A CONFLICT where the draft has been
   * saved from elsewhere since `revision`: nothing is changed then.
   */
  save: procedure.input(draftSchema.omit({ updatedAt: true })).output(draftSchema),
  remove: procedure.input(z.object({ id: z.string() })),
};

/** What the page has on screen, whether or not it has been saved as a draft already. */
export const buildInputSchema = z.object({
  sourceId: z.string(),
  template: requestTemplateSchema,
  /** All of them unless told. */
  rows: rowsSchema.optional(),
});
export type BuildInput = z.infer<typeof buildInputSchema>;

/** The request that one row gives. `request` is null where the row or the template can't be read. */
export const previewSchema = z.object({
  row: z.int(),
  total: z.int(),
  /** The request, indented; for a line that is not JSON, the line as it is. */
  request: z.string().nullable(),
  promptTokens: z.int().nullable(),
  /** The context limit of the request's model; null for an unknown model. */
  contextTokens: z.int().nullable(),
  problems: z.array(problemSchema),
});
export type Preview = z.infer<typeof previewSchema>;

/** How far a check of the rows is, and what it found so far. Problems grouped, the most frequent first. */
export const checkProgressSchema = z.object({
  done: z.int(),
  /** Rows that are taken. */
  total: z.int(),
  finished: z.boolean(),
  /** Requests so far: of the rows that can be sent. */
  requests: z.int(),
  /** Rows with errors, each counted once. */
  faultyRows: z.int(),
  /** Whether what was found keeps the batch from running. */
  blocked: z.boolean(),
  /** Bytes of the batch input file as far as rendered. */
  bytes: z.int(),
  /** Tokens of all prompts so far. */
  promptTokens: z.int(),
  /** Whether each prompt was counted; else the tokens are extrapolated from a sample. */
  tokensExact: z.boolean(),
  errorCount: z.int(),
  warningCount: z.int(),
  groups: z.array(problemGroupSchema),
  /** Those that a file of requests names itself, the most frequent first. */
  models: z.array(z.string()).optional(),
});
export type CheckProgress = z.infer<typeof checkProgressSchema>;

export const submitProgressSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("rendering"), done: z.int(), total: z.int() }),
  z.object({
    phase: z.literal("submitted"),
    batchId: z.string(),
    /** The batches of the other models. */
    versions: z.array(z.string()).optional(),
  }),
]);
export type SubmitProgress = z.infer<typeof submitProgressSchema>;

/** One row that was asked to try the prompt. */
export const trialRowSchema = resultRowSchema
  .pick({ state: true, question: true, answer: true, milliseconds: true, promptTokens: true, completionTokens: true })
  .extend({
    row: z.int(),
    /** The last user message and the answer, whole. */
    question: z.string(),
    answer: z.string(),
    /** In US dollars; null where it is not known, or nothing is paid. */
    cost: z.number().nullable(),
  });
export type TrialRow = z.infer<typeof trialRowSchema>;

/** How a trial stands: all its rows, with what came of each so far. */
export const trialProgressSchema = z.object({
  batchId: z.string(),
  finished: z.boolean(),
  /** Why nothing moves; null while it goes on. */
  waiting: z.string().nullable(),
  rows: z.array(trialRowSchema),
});
export type TrialProgress = z.infer<typeof trialProgressSchema>;

/** The most rows of one trial. */
export const mostTrialRows = 50;

/** What a batch may cost, in US dollars; null where no price is known. */
export const costEstimateSchema = z
  .object({
    /** Of the prompts alone. */
    prompts: z.number(),
    /** With answers as those of the trial; null without one. */
    about: z.number().nullable(),
    /** With answers as long as they may be; null where the requests set no limit. */
    most: z.number().nullable(),
    /** What a batch costs beside direct calls. */
    factor: z.number(),
    /** The day of the prices; null for those that the user typed. */
    pricesDate: z.iso.date().nullable(),
  })
  .nullable();
export type CostEstimate = z.infer<typeof costEstimateSchema>;

/** Requests that need not be asked. */
export const knownCountSchema = z.object({
  /** Answered before, by the same model at the same address. */
  known: z.int(),
  /** Of the others: the same as one before them. */
  identical: z.int(),
});
export type KnownCount = z.infer<typeof knownCountSchema>;

const longestSchema = 1_000_000;
const trialRowsSchema = z.object({
  take: rowsSchema.shape.take.exclude(["all"]),
  count: z.int().min(1).max(mostTrialRows),
});

export const buildContract = {
  /** What is wrong with a JSON schema, or with an answer by it: one sentence each, none when it fits. */
  trySchema: procedure
    .input(z.object({ schema: z.string().max(longestSchema), answer: z.string().max(longestSchema) }))
    .output(z.array(z.string())),
  cost: procedure
    .input(
      z.object({
        connectionId: z.string(),
        model: z.string(),
        lines: z.int(),
        promptTokens: z.int(),
        /** Tokens of an answer: of the trial's on average, and at most. */
        usualAnswer: z.number().nullable(),
        longestAnswer: z.int().nullable(),
      }),
    )
    .output(costEstimateSchema),
  /** Renders the requests to find those that need not be asked; nothing where no connection is asked. Refused like a submit. */
  known: procedure.input(buildInputSchema).output(knownCountSchema),
  /** The request of row `row`, counted from 1. */
  preview: procedure.input(buildInputSchema.extend({ row: z.int().min(1) })).output(previewSchema),
  /** Renders and checks every row; ends after the event that says `finished`. Abort it to stop the work. */
  check: procedure.input(buildInputSchema).output(eventIterator(checkProgressSchema)),
  /**
   * Asks a few rows at once, as a batch that is not listed: called one by one also where the service has batches. Ends after
   * the event that says `finished`. Abort it to stop asking. Rows with errors are left out.
   */
  trial: procedure
    .input(buildInputSchema.extend({ draftId: z.string(), rows: trialRowsSchema }))
    .output(eventIterator(trialProgressSchema)),
  /** Renders the batch input file, uploads it and creates the batch, one for each model. Refused while there are errors. */
  submit: procedure
    .input(buildInputSchema.extend({ name: z.string().min(1).max(200) }))
    .output(eventIterator(submitProgressSchema)),
};
