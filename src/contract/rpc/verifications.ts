import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { findingKindSchema, verdictSchema, verifyResultSchema } from "../wire/verify.ts";
import { procedure } from "./errors.ts";
import { judgeChoiceSchema } from "./verify.ts";

/** Where the document of each line comes from. */
export const documentChoiceSchema = z.discriminatedUnion("from", [
  z.object({ from: z.literal("none") }),
  /** The line's system message. */
  z.object({ from: z.literal("system_message") }),
  /** A column of the table that the batch was built from. */
  z.object({ from: z.literal("column"), column: z.string() }),
]);
export type DocumentChoice = z.infer<typeof documentChoiceSchema>;

/** How far the verification of a batch is. */
export const verificationRunSchema = z.object({
  batchId: z.string(),
  /** `stopped`: cancelled or cut off by the end of the app; it can be resumed. */
  state: z.enum(["running", "stopped", "done", "failed"]),
  choice: judgeChoiceSchema,
  document: documentChoiceSchema,
  strict: z.boolean(),
  /** Whether an earlier version made it: its verdicts meant something else, and only starting over gives new ones. */
  isEarlier: z.boolean(),
  /** What an earlier version called how many lines, in its own words; empty unless one made it. */
  earlierCounts: z.array(z.object({ verdict: z.string(), count: z.int() })),
  /** Lines with an answer, and how many of them have a verdict. */
  total: z.int(),
  done: z.int(),
  /** By verdict of the line. */
  counts: z.object({ contradicted: z.int(), not_found: z.int(), supported: z.int(), not_checkable: z.int() }),
  /** How many findings of each kind are contradicted or not found, the most frequent first. */
  kinds: z.array(z.object({ kind: findingKindSchema, count: z.int() })),
  /** Lines a second; null when not running. */
  rate: z.number().nullable(),
  /** Milliseconds. */
  timeLeft: z.number().nullable(),
  /** Why it failed; null otherwise. */
  problem: z.string().nullable(),
});
export type VerificationRun = z.infer<typeof verificationRunSchema>;

/** The gravest verdict of a line's claims, for the column and the filter of Results. */
export const lineVerdictSchema = verdictSchema;
export type LineVerdict = z.infer<typeof lineVerdictSchema>;

const batchInput = z.object({ batchId: z.string() });

export const verificationsContract = {
  /** Null when the batch has never been verified. */
  get: procedure.input(batchInput).output(verificationRunSchema.nullable()),
  /** What can be the document of its lines. `columns` is empty when the table it was built from is gone or unknown. */
  options: procedure
    .input(batchInput)
    .output(z.object({ columns: z.array(z.string()), hasSystemMessages: z.boolean() })),
  /** Starts over with the choice; verdicts of an earlier run are replaced. */
  start: procedure
    .input(
      batchInput.extend({
        choice: judgeChoiceSchema,
        document: documentChoiceSchema,
        strict: z.boolean().default(false),
      }),
    )
    .output(verificationRunSchema),
  /** Goes on where a stopped run left off. */
  resume: procedure.input(batchInput).output(verificationRunSchema),
  cancel: procedure.input(batchInput).output(verificationRunSchema),
  /** Every change of a batch's run, merged to at most ten a second. */
  watch: procedure.output(eventIterator(verificationRunSchema)),
  /** The whole result for one line; null when it has none. */
  line: procedure.input(batchInput.extend({ line: z.int().min(1) })).output(verifyResultSchema.nullable()),
};
