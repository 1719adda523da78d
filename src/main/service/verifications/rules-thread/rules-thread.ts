import type { LineGrade, VerifyInput } from "#contract";
import { createJobThread } from "../../job-thread/index.ts";
import type { Judgement } from "../../verdicts/index.ts";
import { type GradeRequest, type JudgeRequest, judgeReplySchema } from "./messages.ts";

/** Judges responses by rules, and grades answers, in a worker thread, so that the thread of the app is never busy with a long one. */
export interface RulesThread {
  /** Starts the thread, which takes a moment, before there is work for it. */
  warm(): void;
  /** Answers in the order of the inputs. Rejects with the signal's reason, and when the thread dies. */
  judge(inputs: readonly VerifyInput[], signal?: AbortSignal): Promise<readonly Judgement[]>;
  /** The same for answers that a grader computes the grades of. */
  grade(request: Omit<GradeRequest, "job">, signal?: AbortSignal): Promise<readonly LineGrade[]>;
  /** Ends the thread; what it was asked rejects. */
  close(): Promise<void>;
}

/** The thread starts with the first question; should it die, the next question starts another. */
export function createRulesThread(url: URL): RulesThread {
  const thread = createJobThread({
    url,
    name: "sheaf-rules",
    replySchema: judgeReplySchema,
    endedMessage: "The thread that judges responses has ended.",
  });

  return {
    warm: thread.warm,
    judge: (inputs, signal) =>
      thread.run<readonly Judgement[]>({
        signal,
        request: (job): JudgeRequest => ({ job, inputs: [...inputs] }),
        onReply(reply, resolve, reject) {
          if (reply.type === "judged") resolve(reply.judgements);
          else if (reply.type === "failed") reject(new Error(reply.message));
        },
      }),
    grade: (request, signal) =>
      thread.run<readonly LineGrade[]>({
        signal,
        request: (job): GradeRequest => ({ job, ...request }),
        onReply(reply, resolve, reject) {
          if (reply.type === "graded") resolve(reply.grades);
          else if (reply.type === "failed") reject(new Error(reply.message));
        },
      }),
    close: thread.close,
  };
}
