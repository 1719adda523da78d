import { createWorkerThread } from "../../io/index.ts";
import type { CheckFileOptions, FileCheck } from "./check-file.ts";
import type { CheckRules } from "./rules.ts";
import type { ValidationClient } from "./worker.ts";

/** Checks batch input files in a worker thread that is kept warm. */
export interface FileChecker {
  /** Rejects when the file can't be read, and with the signal's reason. `onProgress`: at most ten times a second. */
  check(path: string, options?: CheckFileOptions): Promise<FileCheck>;
  /** Ends the thread; checks that still run reject. */
  close(): Promise<void>;
}

/** The thread starts at once; should it die, the next check starts another. */
export function createFileChecker(workerUrl: URL, rules: CheckRules): FileChecker {
  const thread = createWorkerThread<ValidationClient>({
    url: workerUrl,
    name: "sheaf-validation",
    closedMessage: "The service was closed.",
  });
  thread.client();

  return {
    async check(path, { signal, onProgress } = {}) {
      for await (const event of await thread.client().check({ path, rules }, signal && { signal })) {
        if (event.type === "checked") return event.check;
        onProgress?.(event.bytes, event.total);
      }
      throw new Error("The check of a file ended without a result.");
    },
    close: thread.close,
  };
}
