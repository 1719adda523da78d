import { parentPort } from "node:worker_threads";
import { toJudgement } from "../../verdicts/index.ts";
import { loadRulesJudge } from "../../verify/index.ts";
import { type JudgeReply, judgeRequestSchema } from "./messages.ts";

/** Entry of the worker thread that judges responses by rules. */
if (parentPort === null) throw new Error("This file is the entry of a worker thread.");
const port = parentPort;
const judgeByRules = await loadRulesJudge();

port.on("message", (message: unknown) => {
  const { job, inputs } = judgeRequestSchema.parse(message);
  try {
    const judgements = inputs.map((input) => toJudgement(judgeByRules(input)));
    reply({ type: "judged", job, judgements });
  } catch (error) {
    reply({ type: "failed", job, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function reply(message: JudgeReply): void {
  port.postMessage(message);
}
