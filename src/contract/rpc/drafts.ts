import { z } from "zod";
import { messageRoles } from "../wire/chat.ts";
import { procedure } from "./errors.ts";

/** What Build makes requests from: one message template for each role turn, and the parameters of all lines. */
export const requestTemplateSchema = z.object({
  messages: z.array(z.object({ role: z.enum(messageRoles), content: z.string() })),
  model: z.string(),
  temperature: z.number().nullable(),
  maxCompletionTokens: z.int().nullable(),
  /** A template, too: `gsm8k-{{ id }}`. `{{ row_number }}` counts the rows from 1. */
  customId: z.string(),
});
export type RequestTemplate = z.infer<typeof requestTemplateSchema>;

/** A batch that is being built. Saved as the user types. */
export const draftSchema = z.object({
  id: z.string(),
  name: z.string().max(200),
  sourceId: z.string().nullable(),
  template: requestTemplateSchema,
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
  create: procedure.input(z.object({ name: z.string().max(200).optional() })).output(draftSchema),
  get: procedure.input(z.object({ id: z.string() })).output(draftSchema),
  /**
   * Answers with the draft as it is stored, `updatedAt` and its next revision included. A CONFLICT where the draft has been
   * saved from elsewhere since `revision`: nothing is changed then.
   */
  save: procedure.input(draftSchema.omit({ updatedAt: true })).output(draftSchema),
  remove: procedure.input(z.object({ id: z.string() })),
};
