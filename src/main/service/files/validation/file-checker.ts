import { Worker } from "node:worker_threads";
import type { CheckFileOptions, FileCheck } from "./check-file.ts";
import type { CheckRules } from "./rules.ts";
import { type WorkerReply, workerReplySchema } from "./worker-reply.ts";
import type { WorkerRequest } from "./worker-request.ts";

/** Checks batch input files in a worker thread that is kept warm. */
export interface FileChecker {
  /** Rejects when the file can't be read, and with the signal's reason. `onProgress`: at most ten times a second. */
  check(path: string, options?: CheckFileOptions): Promise<FileCheck>;
  /** Ends the thread; checks that still run reject. */
  close(): Promise<void>;
}

const closedMessage = "The service was closed.";

interface Job {
  readonly resolve: (check: FileCheck) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: CheckFileOptions["onProgress"];
}

/** The thread starts at once; should it die, the next check starts another. */
export function createFileChecker(workerUrl: URL, rules: CheckRules): FileChecker {
  const jobs = new Map<number, Job>();
  let lastJob = 0;
  let closed = false;
  let worker: Worker | null = startWorker();

  function startWorker(): Worker {
    const started = new Worker(workerUrl, { name: "sheaf-validation" });
    started.on("message", (message: unknown) => settle(workerReplySchema.parse(message)));
    started.on("error", (error) => abandon(started, error));
    started.on("exit", () => abandon(started, new Error("The thread that checks files has ended.")));
    return started;
  }

  function settle(reply: WorkerReply): void {
    const job = jobs.get(reply.job);
    if (job === undefined) return;
    if (reply.type === "progress") {
      job.onProgress?.(reply.bytes, reply.total);
      return;
    }
    jobs.delete(reply.job);
    if (reply.type === "checked") job.resolve(reply.check);
    else job.reject(new Error(reply.message));
  }

  function abandon(dead: Worker, reason: unknown): void {
    if (worker !== dead) return;
    worker = null;
    for (const job of jobs.values()) job.reject(reason);
    jobs.clear();
  }

  function send(request: WorkerRequest): void {
    worker ??= startWorker();
    worker.postMessage(request);
  }

  return {
    async check(path, { signal, onProgress } = {}) {
      signal?.throwIfAborted();
      if (closed) throw new Error(closedMessage);
      lastJob += 1;
      const id = lastJob;
      const { promise, resolve, reject } = Promise.withResolvers<FileCheck>();
      jobs.set(id, { resolve, reject, onProgress });
      const stop = () => {
        jobs.delete(id);
        send({ type: "abort", job: id });
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      send({ type: "check", job: id, path, rules });
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
