import { z } from "zod";
import {
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
});
export type JudgeChoice = z.infer<typeof judgeChoiceSchema>;

/** One verification that was made in the app, newest first in the history. */
export const verificationSchema = z.object({
  id: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  choice: judgeChoiceSchema,
  strict: z.boolean(),
  document: z.string().nullable(),
  /** Without claims where an earlier version made it. */
  result: verifyResultSchema,
  /** Whether an earlier version made it, whose verdicts meant something else and are not shown as today's. */
  isEarlier: z.boolean(),
  milliseconds: z.number(),
});
export type Verification = z.infer<typeof verificationSchema>;

/** A line of the history: enough to recognise it by. Texts are cut at 200 characters. */
export const verificationSummarySchema = z.object({
  id: z.string(),
  at: z.number(),
  prompt: z.string(),
  response: z.string(),
  /** The gravest of its claims; null where an earlier version made it. */
  verdict: verdictSchema.nullable(),
  explanation: z.string(),
});
export type VerificationSummary = z.infer<typeof verificationSummarySchema>;

export const verifyContract = {
  /** Verifies and keeps the result in the history. Cancelled with the call's signal. */
  check: procedure.input(verifyInputSchema.extend(judgeChoiceSchema.shape)).output(verificationSchema),
  /** The last verifications, at most 100, kept with the data. */
  history: procedure.output(z.array(verificationSummarySchema)),
  get: procedure.input(z.object({ id: z.string() })).output(verificationSchema),
  clearHistory: procedure.output(z.object({ removed: z.int() })),
};
