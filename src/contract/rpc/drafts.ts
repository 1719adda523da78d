import { z } from "zod";
import { columnConditionSchema, mostConditions } from "../result-filter.ts";
import { messageRoles } from "../wire/chat.ts";
import { procedure } from "./errors.ts";

/** What the answers are: text by default, any JSON object, or JSON by a schema, which is kept as it was typed. */
export const answerFormatSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("json_object") }),
  z.object({ type: z.literal("json_schema"), name: z.string(), schema: z.string(), strict: z.boolean() }),
]);
export type AnswerFormat = z.infer<typeof answerFormatSchema>;

/** What versions of a prompt have each for itself: one message template for each role turn, and the parameters of all lines. */
const promptSchema = z.object({
  messages: z.array(
    z.object({
      role: z.enum(messageRoles),
      content: z.string(),
      /** The column that has the address of an image, or the path of its file. */
      imageColumn: z.string().optional(),
    }),
  ),
  temperature: z.number().nullable(),
  maxCompletionTokens: z.int().nullable(),
  answerFormat: answerFormatSchema.optional(),
  /** Parameters without a field of their own, as the text of a JSON object. */
  further: z.string().optional(),
});

/** The most characters of a version's name. */
export const longestVersionName = 40;
const versionNameSchema = z.string().max(longestVersionName);

/** What Build makes requests from. */
export const requestTemplateSchema = promptSchema.extend({
  /** What this version of the prompt is called. Unnamed where there has only been one. */
  version: versionNameSchema.optional(),
  /** Other versions, asked of the same rows, each in a batch of its own. */
  otherVersions: z.array(promptSchema.extend({ version: versionNameSchema })).optional(),
  /** Where the requests are answered; null for this computer. */
  connectionId: z.string().nullable().default(null),
  model: z.string(),
  /** Models that are asked the same, each in a batch of its own. */
  otherModels: z.array(z.string()).optional(),
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
  /** Only rows that fit all of these are taken: `source.<column>` of a table. A file of requests has none. */
  filter: z.array(columnConditionSchema).max(mostConditions).optional(),
  /** Rows with errors are left out, instead of keeping the batch from running. */
  skipFaulty: z.boolean(),
  /** Requests that the connection has answered before take those answers. */
  reuse: z.boolean().default(true),
  /** Requests that are the same are asked once, at a connection, and answered for all. */
  onceIdentical: z.boolean().default(false),
});
export type Rows = z.infer<typeof rowsSchema>;

/**
 * Folders of this computer whose pictures, and those in folders below them, may be read and sent. Resolved paths, as
 * `build.pictures` answers them.
 */
export const pictureFoldersSchema = z.array(z.string()).default([]);

/** What a draft starts with. */
export const allRows: Rows = { take: "all", count: 100, skipFaulty: false, reuse: true, onceIdentical: false };

/** A batch that is being built. Saved as the user types. */
export const draftSchema = z.object({
  id: z.string(),
  name: z.string().max(200),
  sourceId: z.string().nullable(),
  template: requestTemplateSchema,
  rows: rowsSchema.default(allRows),
  pictureFolders: pictureFoldersSchema,
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
   * sent as it is. Where it is not known any more what it was built from, `copy` is the same as `lines`.
   */
  fromBatch: procedure.input(z.object({ batchId: z.string(), as: z.enum(["copy", "lines"]) })).output(draftSchema),
  /**
   * Answers with the draft as it is stored, `updatedAt` and its next revision included. A CONFLICT where the draft has been
   * saved from elsewhere since `revision`: nothing is changed then.
   */
  save: procedure.input(draftSchema.omit({ updatedAt: true })).output(draftSchema),
  remove: procedure.input(z.object({ id: z.string() })),
};
