import { z } from "zod";
import { graderSchema, type LineGrade, lineGradeSchema, verifyInputSchema } from "#contract";
import { type Judgement, judgementSchema } from "../../verdicts/index.ts";

/** What the worker is asked: to judge responses, or to grade answers. `job` ties the reply to the request. */
export const judgeRequestSchema = z.object({ job: z.int(), inputs: z.array(verifyInputSchema) });
export type JudgeRequest = z.infer<typeof judgeRequestSchema>;

export const gradeRequestSchema = z.object({
  job: z.int(),
  grader: graderSchema,
  labels: z.array(z.string()),
  answers: z.array(
    z.object({ answer: z.string().nullable(), expected: z.string().nullable(), schema: z.string().nullable() }),
  ),
});
export type GradeRequest = z.infer<typeof gradeRequestSchema>;

/** What the worker answers: a judgement for each input, in their order, or why there is none. */
export type JudgeReply = { readonly job: number } & (
  | { readonly type: "judged"; readonly judgements: readonly Judgement[] }
  | { readonly type: "graded"; readonly grades: readonly LineGrade[] }
  | { readonly type: "failed"; readonly message: string }
);

export const judgeReplySchema: z.ZodType<JudgeReply> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("judged"), job: z.int(), judgements: z.array(judgementSchema) }),
  z.object({ type: z.literal("graded"), job: z.int(), grades: z.array(lineGradeSchema) }),
  z.object({ type: z.literal("failed"), job: z.int(), message: z.string() }),
]);
