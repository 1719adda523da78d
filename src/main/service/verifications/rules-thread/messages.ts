import { z } from "zod";
import { verifyInputSchema } from "#contract";
import { type Judgement, judgementSchema } from "../../verdicts/index.ts";

/** What the worker is asked: to judge responses. `job` ties the reply to the request. */
export const judgeRequestSchema = z.object({ job: z.int(), inputs: z.array(verifyInputSchema) });
export type JudgeRequest = z.infer<typeof judgeRequestSchema>;

/** What the worker answers: a judgement for each input, in their order, or why there is none. */
export type JudgeReply = { readonly job: number } & (
  | { readonly type: "judged"; readonly judgements: readonly Judgement[] }
  | { readonly type: "failed"; readonly message: string }
);

export const judgeReplySchema: z.ZodType<JudgeReply> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("judged"), job: z.int(), judgements: z.array(judgementSchema) }),
  z.object({ type: z.literal("failed"), job: z.int(), message: z.string() }),
]);
