import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { problemGroupSchema, problemSchema } from "../problems.ts";
import { requestTemplateSchema } from "./drafts.ts";
import { procedure } from "./errors.ts";

/** What the page has on screen, whether or not it has been saved as a draft already. */
export const buildInputSchema = z.object({ sourceId: z.string(), template: requestTemplateSchema });
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

/** How far a check of the whole file is, and what it found so far. Problems grouped, the most frequent first. */
export const checkProgressSchema = z.object({
  done: z.int(),
  total: z.int(),
  finished: z.boolean(),
  /** Bytes of the batch input file as far as rendered. */
  bytes: z.int(),
  /** Tokens of all prompts, extrapolated from a sample. */
  promptTokens: z.int(),
  errorCount: z.int(),
  warningCount: z.int(),
  groups: z.array(problemGroupSchema),
});
export type CheckProgress = z.infer<typeof checkProgressSchema>;

export const submitProgressSchema = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("rendering"), done: z.int(), total: z.int() }),
  z.object({ phase: z.literal("submitted"), batchId: z.string() }),
]);
export type SubmitProgress = z.infer<typeof submitProgressSchema>;

export const buildContract = {
  /** The request of row `row`, counted from 1. */
  preview: procedure.input(buildInputSchema.extend({ row: z.int().min(1) })).output(previewSchema),
  /** Renders and checks every row; ends after the event that says `finished`. Abort it to stop the work. */
  check: procedure.input(buildInputSchema).output(eventIterator(checkProgressSchema)),
  /** Renders the batch input file, uploads it and creates the batch. Refused while there are errors. */
  submit: procedure
    .input(buildInputSchema.extend({ name: z.string().min(1).max(200) }))
    .output(eventIterator(submitProgressSchema)),
};
