import { Worker } from "node:worker_threads";
import type { VerifyInput } from "#contract";
import type { Judgement } from "../../verdicts/index.ts";
import { type JudgeReply, type JudgeRequest, judgeReplySchema } from "./messages.ts";

/** Judges responses by rules in a worker thread, so that the thread of the app is never busy with a long one. */
export interface RulesThread {
  /** Starts the thread, which takes a moment, before there is work for it. */
  warm(): void;
  /** Answers in the order of the inputs. Rejects with the signal's reason, and when the thread dies. */
  judge(inputs: readonly VerifyInput[], signal?: AbortSignal): Promise<readonly Judgement[]>;
  /** Ends the thread; what it was asked rejects. */
  close(): Promise<void>;
}

const closedMessage = "The service was closed.";

interface Job {
  readonly resolve: (judgements: readonly Judgement[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** The thread starts with the first question; should it die, the next question starts another. */
export function createRulesThread(url: URL): RulesThread {
  const jobs = new Map<number, Job>();
  let lastJob = 0;
  let closed = false;
  let worker: Worker | null = null;

  function start(): Worker {
    const started = new Worker(url, { name: "sheaf-rules" });
    started.on("message", (message: unknown) => settle(judgeReplySchema.parse(message)));
    started.on("error", (error) => abandon(started, error));
    started.on("exit", () => abandon(started, new Error("The thread that judges responses has ended.")));
    return started;
  }

  function settle(reply: JudgeReply): void {
    const job = jobs.get(reply.job);
    jobs.delete(reply.job);
    if (reply.type === "judged") job?.resolve(reply.judgements);
    else job?.reject(new Error(reply.message));
  }

  function abandon(dead: Worker, reason: unknown): void {
    if (worker !== dead) return;
    worker = null;
    for (const job of jobs.values()) job.reject(reason);
    jobs.clear();
  }

  function open(): Worker {
    if (closed) throw new Error(closedMessage);
    worker ??= start();
    return worker;
  }

  return {
    warm: open,
    async judge(inputs, signal) {
      signal?.throwIfAborted();
      const thread = open();
      lastJob += 1;
      const job = lastJob;
      const { promise, resolve, reject } = Promise.withResolvers<readonly Judgement[]>();
      jobs.set(job, { resolve, reject });
      const stop = () => {
        jobs.delete(job);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      const request: JudgeRequest = { job, inputs: [...inputs] };
      thread.postMessage(request);
      try {
        return await promise;
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    },
    async close() {
      closed = true;
      const closing = worker;
      if (closing === null) return;
      abandon(closing, new Error(closedMessage));
      await closing.terminate();
    },
  };
}
