import { parentPort } from "node:worker_threads";
import { createGrader } from "../../grade/index.ts";
import { toJudgement } from "../../verdicts/index.ts";
import { loadRulesJudge } from "../../verify/index.ts";
import { gradeRequestSchema, type JudgeReply, judgeRequestSchema } from "./messages.ts";

/** Entry of the worker thread that judges responses by rules, and grades answers. */
if (parentPort === null) throw new Error("This file is the entry of a worker thread.");
const port = parentPort;
const judgeByRules = await loadRulesJudge();

port.on("message", (message: unknown) => {
  const request = gradeRequestSchema.or(judgeRequestSchema).parse(message);
  const { job } = request;
  try {
    if ("grader" in request) {
      const grader = createGrader(request.grader, request.labels);
      reply({ type: "graded", job, grades: request.answers.map((input) => grader.grade(input)) });
    } else {
      reply({ type: "judged", job, judgements: request.inputs.map((input) => toJudgement(judgeByRules(input))) });
    }
  } catch (error) {
    reply({ type: "failed", job, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function reply(message: JudgeReply): void {
  port.postMessage(message);
}
