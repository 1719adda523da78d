import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { sourceColumnsSchema } from "../default-columns.ts";
import { problemGroupSchema, problemSchema } from "../problems.ts";
import { longestVersionName, pictureFoldersSchema, requestTemplateSchema, rowsSchema } from "./drafts.ts";
import { procedure } from "./errors.ts";
import { resultRowSchema } from "./results.ts";

/** What the page has on screen, whether or not it has been saved as a draft already. */
export const buildInputSchema = z.object({
  sourceId: z.string(),
  template: requestTemplateSchema,
  /** All of them by default. */
  rows: rowsSchema.optional(),
  pictureFolders: pictureFoldersSchema.optional(),
});
export type BuildInput = z.infer<typeof buildInputSchema>;

/** What a column of pictures names. */
export const pictureColumnSchema = z.object({
  /** Rows with the path of a file on this computer. */
  files: z.int(),
  /** Rows with an address: it is passed on, and never fetched here. */
  addresses: z.int(),
  /** Where the files are, each with all folders below it. */
  folders: z.array(z.object({ path: z.string(), files: z.int(), isAllowed: z.boolean() })),
  /** The first file of all: its data, or why it can't be sent. */
  first: z.object({ path: z.string(), url: z.string().nullable(), problem: z.string().nullable() }).nullable(),
});
export type PictureColumn = z.infer<typeof pictureColumnSchema>;

/** The request that one row gives. `request` is null where the row or the template can't be read. */
export const previewSchema = z.object({
  row: z.int(),
  total: z.int(),
  /** Whether the filter on the rows leaves it out: it is shown, but not asked. */
  isFilteredOut: z.boolean(),
  /** The request, indented; for a line that is not JSON, the line as it is. */
  request: z.string().nullable(),
  promptTokens: z.int().nullable(),
  /** The context limit of the request's model; null for an unknown model. */
  contextTokens: z.int().nullable(),
  problems: z.array(problemSchema),
});
export type Preview = z.infer<typeof previewSchema>;

/** Prompts of about one length: so many lines, with so many tokens together. */
export const promptGroupSchema = z.object({
  lines: z.number(),
  promptTokens: z.number(),
  /** The model that they name. */
  model: z.string().optional(),
});
export type PromptGroup = z.infer<typeof promptGroupSchema>;

/** How far a check of the rows is, and what it found so far. Problems grouped, the most frequent first. */
export const checkProgressSchema = z.object({
  done: z.int(),
  /** Rows that are taken. */
  total: z.int(),
  /** Rows that fit the filter, if there is one. */
  fitting: z.int().optional(),
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
  /** The same by length, since long prompts have prices of their own; shares of it where tokens are extrapolated. */
  prompts: z.array(promptGroupSchema),
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
    /** The batches of the other versions and models. */
    versions: z.array(z.string()).optional(),
  }),
]);
export type SubmitProgress = z.infer<typeof submitProgressSchema>;

/** One row that was asked to try the prompt. */
export const trialRowSchema = resultRowSchema
  .pick({
    state: true,
    question: true,
    answer: true,
    milliseconds: true,
    promptTokens: true,
    completionTokens: true,
    misfits: true,
    picture: true,
  })
  .extend({
    row: z.int(),
    customId: z.string(),
    /** The last user message and the answer, whole. */
    question: z.string(),
    answer: z.string(),
    /** The members of an answer that is a JSON object, as text: numbers as they were written. Null for any other answer. */
    fields: z.record(z.string(), z.string()).nullable(),
    /** The cell of the table's column with the expected answers; null where there is none. */
    expected: z.string().nullable(),
    /** The cells of the columns that the prompt uses, whole. */
    cells: z.record(z.string(), z.string()),
    /** In US dollars; null where it is not known, or nothing is paid. */
    cost: z.number().nullable(),
    /** Tokens of the prompt as they were counted here, before it was sent. */
    countedTokens: z.int().optional(),
  });
export type TrialRow = z.infer<typeof trialRowSchema>;

/** The state of a trial: all its rows, with the result of each so far. */
export const trialProgressSchema = z.object({
  batchId: z.string(),
  finished: z.boolean(),
  /** Why nothing moves; null while it runs. */
  waiting: z.string().nullable(),
  /** The columns of the source table, and which of them the requests use. */
  source: sourceColumnsSchema,
  rows: z.array(trialRowSchema),
});
export type TrialProgress = z.infer<typeof trialProgressSchema>;

/** The most rows of one trial. */
export const mostTrialRows = 50;

/** What batches may cost, in US dollars; null where no price is known. */
export const costEstimateSchema = z
  .object({
    /** Of the prompts alone. */
    prompts: z.number(),
    /** With answers as those of the trial; null without one. */
    about: z.number().nullable(),
    /** With answers as long as they may be; null where the requests set no limit. */
    most: z.number().nullable(),
    /** The requests that it is of, and those without a known price, which are not in it. */
    lines: z.number(),
    unknown: z.number(),
    /** Whether it may cost less: the service gives batches a discount that is not certain. */
    isCeiling: z.boolean(),
    /** What a batch costs compared with direct calls; null where it differs by the model. */
    factor: z.number().nullable(),
    /** The day of the prices; null for those that the user typed. */
    pricesDate: z.iso.date().nullable(),
  })
  .nullable();
export type CostEstimate = z.infer<typeof costEstimateSchema>;

/** How a batch is asked: requests that need not be, and in how many parts. */
export const reuseCountSchema = z.object({
  /** Answered before, by the same model at the same address. */
  reusable: z.int(),
  /** Of the others: the same as one before them. */
  identical: z.int(),
  /** The batches that the service is sent, since it limits their size; null where its lines are called one by one. */
  parts: z.int().nullable(),
});
export type ReuseCount = z.infer<typeof reuseCountSchema>;

const longestSchema = 1_000_000;
const trialRowsSchema = z.object({
  take: rowsSchema.shape.take.exclude(["all"]),
  count: z.int().min(1).max(mostTrialRows),
  filter: rowsSchema.shape.filter,
});

/** What is asked of a trial: a few rows of a version of the prompt. */
export const trialInputSchema = buildInputSchema.extend({
  draftId: z.string(),
  /** The name of the version: its last trial is kept with the draft. */
  version: z.string().max(longestVersionName).default(""),
  rows: trialRowsSchema,
});

/** The last trial of a version, as it was when the page was closed. */
export const keptTrialSchema = trialProgressSchema.pick({ batchId: true, source: true, rows: true }).extend({
  input: trialInputSchema,
  /** How long it took; null for one that was cut off. */
  milliseconds: z.number().nullable(),
});
export type KeptTrial = z.infer<typeof keptTrialSchema>;

export const buildContract = {
  /** What is wrong with a JSON schema, or with an answer by it: one sentence each, none when it fits. */
  trySchema: procedure
    .input(z.object({ schema: z.string().max(longestSchema), answer: z.string().max(longestSchema) }))
    .output(z.array(z.string())),
  cost: procedure
    .input(
      z.object({
        connectionId: z.string(),
        /** Whether the requests are called one by one, as those of a trial: they cost the whole price. */
        isDirect: z.boolean().default(false),
        /** Tokens of an answer of the trial, on average. */
        usualAnswer: z.number().nullable(),
        /** What the service counted of the prompts of a trial, compared with what was counted here; null without one. */
        promptRatio: z.number().positive().nullable().default(null),
        /** The batches that are made at once. */
        jobs: z.array(
          z.object({
            model: z.string(),
            prompts: z.array(promptGroupSchema),
            /** The most tokens of an answer. */
            longestAnswer: z.int().nullable(),
          }),
        ),
      }),
    )
    .output(costEstimateSchema),
  /**
   * Renders the requests of each batch to find those that need not be asked; none where no connection is asked. Refused like
   * a submit.
   */
  countReusable: procedure.input(z.array(buildInputSchema)).output(z.array(reuseCountSchema)),
  /** The request of row `row`, counted from 1. */
  preview: procedure.input(buildInputSchema.extend({ row: z.int().min(1) })).output(previewSchema),
  /** What a column names as pictures. Of all files it reads the first only. */
  pictures: procedure
    .input(z.object({ sourceId: z.string(), column: z.string(), pictureFolders: pictureFoldersSchema }))
    .output(pictureColumnSchema),
  /** Renders and checks every row; ends after the event `finished`. Abort it to stop the work. */
  check: procedure.input(buildInputSchema).output(eventIterator(checkProgressSchema)),
  /**
   * Asks a few rows at once, as a batch that is not listed: called one by one also where the service has batches. Ends after
   * the event `finished`. Abort it to stop asking. Rows with errors are left out.
   */
  trial: procedure.input(trialInputSchema).output(eventIterator(trialProgressSchema)),
  /** The last trial of each version of a draft, the latest last; those whose rows or answers are gone are left out. */
  trials: procedure.input(z.object({ draftId: z.string() })).output(z.array(keptTrialSchema)),
  /** Renders the batch input file, uploads it and creates the batch, one for each version and model. Refused while there are errors. */
  submit: procedure
    .input(buildInputSchema.extend({ name: z.string().min(1).max(200) }))
    .output(eventIterator(submitProgressSchema)),
};
