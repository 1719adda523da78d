import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { verdictCountsSchema } from "../claim-counts.ts";
import {
  claimCountsSchema,
  claimSchema,
  findingKindSchema,
  judgeNameSchema,
  judgePresetSchema,
  verdictSchema,
  verifyInputSchema,
  verifyResultSchema,
} from "../wire/verify.ts";
import { procedure } from "./errors.ts";

/** Who is to judge. `model` names the model that is asked; the rules need none. */
export const judgeChoiceSchema = z.object({
  judge: judgeNameSchema,
  model: z.string().nullable(),
  preset: judgePresetSchema.default("general"),
  /** The connection whose model it is; this computer's engine answers for it by default. */
  connectionId: z.string().optional(),
});
export type JudgeChoice = z.infer<typeof judgeChoiceSchema>;

/** One verification that was made in the app, newest first in the history. */
export const verificationSchema = z.object({
  id: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  choice: judgeChoiceSchema,
  strict: z.boolean(),
  form: z.boolean().optional(),
  document: z.string().nullable(),
  /** Without claims where an earlier version made it. */
  result: verifyResultSchema,
  /** Whether an earlier version made it, whose verdicts meant something else and are not shown as today's. */
  isEarlier: z.boolean(),
  milliseconds: z.number(),
});
export type Verification = z.infer<typeof verificationSchema>;

/** A line of the history: enough to recognise it by. Texts over 200 characters are cut, and end with "…". */
export const verificationSummarySchema = z.object({
  id: z.string(),
  at: z.number(),
  prompt: z.string(),
  response: z.string(),
  /** In one word; null where an earlier version made it. */
  verdict: verdictSchema.nullable(),
  /** Null where an earlier version made it. */
  counts: claimCountsSchema.nullable(),
  explanation: z.string(),
});
export type VerificationSummary = z.infer<typeof verificationSummarySchema>;

/** What the MCP endpoint of a connection answers about a response. */
export const connectionVerificationSchema = z.object({
  isHallucination: z.boolean(),
  explanation: z.string(),
  /** Null where it doesn't judge claim by claim. */
  claims: z.array(claimSchema).nullable(),
  milliseconds: z.number(),
});
export type ConnectionVerification = z.infer<typeof connectionVerificationSchema>;

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
  /** Whether the form of the answers is checked. */
  checksForm: z.boolean(),
  /** Whether an earlier version made it: its verdicts meant something else, and only starting over gives new ones. */
  isEarlier: z.boolean(),
  /** What an earlier version called how many lines, in its own words; empty unless one made it. */
  earlierCounts: z.array(z.object({ verdict: z.string(), count: z.int() })),
  /** Lines with an answer, and how many of them have a verdict. */
  total: z.int(),
  done: z.int(),
  /** By verdict of the line. */
  counts: verdictCountsSchema,
  /** Answers that have the form that their prompts ask for, and that don't. */
  form: z.object({ kept: z.int(), broken: z.int() }),
  /** Their claims by verdict, without those about the form. */
  claims: verdictCountsSchema,
  /** Answers of which rules and model disagree; 0 where they did not both judge. */
  disagreements: z.int(),
  /** How many findings of each kind are contradicted or not found, the most frequent first. */
  kinds: z.array(z.object({ kind: findingKindSchema, count: z.int() })),
  /** Lines that the rules alone judged though a model was to, by why, as a clause; the most frequent first. */
  rulesAlone: z.array(z.object({ problem: z.string(), count: z.int() })),
  /** Lines a second; null when not running. */
  rate: z.number().nullable(),
  /** Milliseconds. */
  timeLeft: z.number().nullable(),
  /** Why it failed; null otherwise. */
  problem: z.string().nullable(),
});
export type VerificationRun = z.infer<typeof verificationRunSchema>;

/** The verdict of a line in one word, for the column and the filter of Results. */
export const lineVerdictSchema = verdictSchema;
export type LineVerdict = z.infer<typeof lineVerdictSchema>;

const batchInput = z.object({ batchId: z.string() });

export const verificationsContract = {
  /** Verifies one response; the history has the result. Cancelled with the call's signal. */
  verifyResponse: procedure.input(verifyInputSchema.extend(judgeChoiceSchema.shape)).output(verificationSchema),
  /** Asks the MCP endpoint of a connection about the response. */
  verifyWithConnection: procedure
    .input(verifyInputSchema.extend({ connectionId: z.string() }))
    .output(connectionVerificationSchema),
  /** The last single verifications, at most 100, stored with the data. */
  history: procedure.output(z.array(verificationSummarySchema)),
  fromHistory: procedure.input(z.object({ id: z.string() })).output(verificationSchema),
  clearHistory: procedure.output(z.object({ removed: z.int() })),

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
        form: z.boolean().default(true),
      }),
    )
    .output(verificationRunSchema),
  /** Continues a stopped run with the lines that are left. */
  resume: procedure.input(batchInput).output(verificationRunSchema),
  cancel: procedure.input(batchInput).output(verificationRunSchema),
  /** Every change of a batch's run, merged to at most four a second. */
  watch: procedure.output(eventIterator(verificationRunSchema)),
  /** The whole result for one line, with the document that it was judged by as far as that is there; null when it has none. */
  line: procedure
    .input(batchInput.extend({ line: z.int().min(1) }))
    .output(z.object({ result: verifyResultSchema, document: z.string().nullable() }).nullable()),
};
