import { os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import {
  lineGradeSchema,
  type RulesGrader,
  rulesGraderSchema,
  type Verdict,
  type VerifyInput,
  verifyInputSchema,
} from "#contract";
import { type ColumnLabels, type GradeInput, loadGraders, loadRulesJudge } from "#main/judging";
import { serveWorker } from "#main/storage";
import type { Outcome } from "./run-file.ts";
import { runInSlices } from "./run-in-slices.ts";
import { toVerdictOutcome, verdictOutcomeSchema } from "./verdict-outcome.ts";

/** Loaded from the start, so that the first response need not wait for it; grading does not. */
const loading = loadRulesJudge();

const text = z.string().nullable();
const gradedSchema = z.object({ grade: lineGradeSchema, tally: z.record(z.string(), z.int()) });

const router = {
  /** Judges responses by rules; the result of each comes in the order of the inputs. */
  judge: os
    .input(z.array(verifyInputSchema))
    .output(z.array(verdictOutcomeSchema))
    .handler(async ({ input, signal }) => await runInSlices(judgeAll(input, await loading), signal)),
  /** Grades answers; the grades come in the order of the answers, each with what it counts. */
  grade: os
    .input(
      z.object({
        grader: rulesGraderSchema,
        labels: z.array(z.string()).nullable(),
        items: z.array(z.string()).nullable(),
        answers: z.array(z.object({ answer: text, expected: text, schema: text })),
      }),
    )
    .output(z.array(gradedSchema))
    .handler(async ({ input: { answers, ...graded }, signal }) => {
      const graders = await loadGraders();
      return await runInSlices(gradeAll(answers, { ...graded, graders }), signal);
    }),
};

function* judgeAll(inputs: readonly VerifyInput[], { judgeInSlices }: Awaited<typeof loading>) {
  const outcomes: Outcome<Verdict>[] = [];
  for (const input of inputs) outcomes.push(toVerdictOutcome(yield* judgeInSlices(input)));
  return outcomes;
}

interface Grading extends ColumnLabels {
  readonly grader: RulesGrader;
  readonly graders: Awaited<ReturnType<typeof loadGraders>>;
}

function* gradeAll(answers: readonly GradeInput[], { grader, graders, ...columnLabels }: Grading) {
  const { createGrader, createTally } = graders;
  const { grade } = createGrader(grader, columnLabels.labels ?? []);
  const tally = createTally(grader, columnLabels);
  const graded: z.input<typeof gradedSchema>[] = [];
  for (const answer of answers) {
    const found = grade(answer);
    graded.push({ grade: found, tally: tally(answer, found) });
    yield answer.answer?.length ?? 0;
  }
  return graded;
}

/** What the thread that judges responses and grades answers can be asked. */
export type JudgeClient = RouterClient<typeof router>;

serveWorker(router);
