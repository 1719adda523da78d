import { Worker } from "node:worker_threads";
import type { z } from "zod";

/** What is asked of a thread, and how its replies are taken. */
export interface Job<Reply, Result> {
  /** The message that asks for it; `id` ties the replies to it. */
  request(id: number): object;
  /** Hears every reply. The job ends with the first `resolve` or `reject`. */
  onReply(reply: Reply, resolve: (result: Result) => void, reject: (reason: unknown) => void): void;
  /** The message that tells the thread that the signal took the job back, where it heeds one. */
  abort?(id: number): object;
  readonly signal?: AbortSignal | undefined;
}

/** A worker thread that answers jobs. It is kept warm; should it die, the next job starts another. */
export interface JobThread<Reply> {
  /** Starts the thread, which takes a moment, before there is work for it. */
  warm(): void;
  /** Rejects with the signal's reason, when the thread dies, and once it was closed. */
  run<Result>(job: Job<Reply, Result>): Promise<Result>;
  /** Ends the thread; jobs that still run reject. */
  close(): Promise<void>;
}

export interface JobThreadOptions<Reply> {
  readonly url: URL;
  /** As debuggers show it. */
  readonly name: string;
  readonly replySchema: z.ZodType<Reply>;
  /** What the jobs of a thread that dies reject with. */
  readonly endedMessage: string;
}

const closedMessage = "The service was closed.";

interface RunningJob<Reply> {
  readonly take: (reply: Reply) => void;
  readonly reject: (reason: unknown) => void;
}

export function createJobThread<Reply extends { readonly job: number }>(
  options: JobThreadOptions<Reply>,
): JobThread<Reply> {
  const { url, name, replySchema, endedMessage } = options;
  const jobs = new Map<number, RunningJob<Reply>>();
  let lastJob = 0;
  let closed = false;
  let worker: Worker | null = null;

  function start(): Worker {
    const started = new Worker(url, { name });
    started.on("message", (message: unknown) => {
      const reply = replySchema.parse(message);
      jobs.get(reply.job)?.take(reply);
    });
    started.on("error", (error) => abandon(started, error));
    started.on("exit", () => abandon(started, new Error(endedMessage)));
    return started;
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
    async run<Result>({ request, onReply, abort, signal }: Job<Reply, Result>) {
      signal?.throwIfAborted();
      const thread = open();
      lastJob += 1;
      const id = lastJob;
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      jobs.set(id, { take: (reply) => onReply(reply, resolve, reject), reject });
      const stop = () => {
        if (abort !== undefined) thread.postMessage(abort(id));
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      thread.postMessage(request(id));
      try {
        return await promise;
      } finally {
        jobs.delete(id);
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
