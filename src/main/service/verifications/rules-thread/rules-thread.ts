import type { VerifyInput } from "#contract";
import { createJobThread } from "../../job-thread/index.ts";
import type { Judgement } from "../../verdicts/index.ts";
import { type JudgeRequest, judgeReplySchema } from "./messages.ts";

/** Judges responses by rules in a worker thread, so that the thread of the app is never busy with a long one. */
export interface RulesThread {
  /** Starts the thread, which takes a moment, before there is work for it. */
  warm(): void;
  /** Answers in the order of the inputs. Rejects with the signal's reason, and when the thread dies. */
  judge(inputs: readonly VerifyInput[], signal?: AbortSignal): Promise<readonly Judgement[]>;
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
          else reject(new Error(reply.message));
        },
      }),
    close: thread.close,
  };
}
