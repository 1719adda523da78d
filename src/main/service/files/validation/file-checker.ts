import { createJobThread } from "../../job-thread/index.ts";
import type { CheckFileOptions, FileCheck } from "./check-file.ts";
import type { CheckRules } from "./rules.ts";
import { workerReplySchema } from "./worker-reply.ts";
import type { WorkerRequest } from "./worker-request.ts";

/** Checks batch input files in a worker thread that is kept warm. */
export interface FileChecker {
  /** Rejects when the file can't be read, and with the signal's reason. `onProgress`: at most ten times a second. */
  check(path: string, options?: CheckFileOptions): Promise<FileCheck>;
  /** Ends the thread; checks that still run reject. */
  close(): Promise<void>;
}

/** The thread starts at once; should it die, the next check starts another. */
export function createFileChecker(workerUrl: URL, rules: CheckRules): FileChecker {
  const thread = createJobThread({
    url: workerUrl,
    name: "sheaf-validation",
    replySchema: workerReplySchema,
    endedMessage: "The thread that checks files has ended.",
  });
  thread.warm();

  return {
    check: (path, { signal, onProgress } = {}) =>
      thread.run<FileCheck>({
        signal,
        request: (job): WorkerRequest => ({ type: "check", job, path, rules }),
        abort: (job): WorkerRequest => ({ type: "abort", job }),
        onReply(reply, resolve, reject) {
          if (reply.type === "progress") onProgress?.(reply.bytes, reply.total);
          else if (reply.type === "checked") resolve(reply.check);
          else reject(new Error(reply.message));
        },
      }),
    close: thread.close,
  };
}
