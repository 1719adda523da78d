import { os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import { lineGradeSchema, rulesGraderSchema, verifyInputSchema } from "#contract";
import { createGrader } from "../grade/index.ts";
import { serveWorker } from "../io/index.ts";
import { loadRulesJudge } from "../verify/index.ts";
import { toVerdictOutcome, verdictOutcomeSchema } from "./verdict-outcome.ts";

/** Loaded from the start, so that the first response need not wait for it; grading does not. */
const loading = loadRulesJudge();

const text = z.string().nullable();

const router = {
  /** Judges responses by rules; what came of each comes in the order of the inputs. */
  judge: os
    .input(z.array(verifyInputSchema))
    .output(z.array(verdictOutcomeSchema))
    .handler(async ({ input }) => {
      const judgeByRules = await loading;
      return input.map((response) => toVerdictOutcome(judgeByRules(response)));
    }),
  /** Grades answers; the grades come in the order of the answers. */
  grade: os
    .input(
      z.object({
        grader: rulesGraderSchema,
        labels: z.array(z.string()),
        answers: z.array(z.object({ answer: text, expected: text, schema: text })),
      }),
    )
    .output(z.array(lineGradeSchema))
    .handler(({ input: { grader, labels, answers } }) => answers.map(createGrader(grader, labels).grade)),
};

/** What the thread that judges responses and grades answers can be asked. */
export type JudgeClient = RouterClient<typeof router>;

serveWorker(router);
