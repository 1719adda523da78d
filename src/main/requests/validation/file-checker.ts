import { stat } from "node:fs/promises";
import { batchEndpoint } from "#contract";
import { createWorkerThread, type WorkerThread } from "#main/storage";
import type { CheckFileOptions, FileCheck } from "./check-file.ts";
import { type CheckRules, takeAnyModel } from "./rules.ts";
import type { ValidationClient } from "./worker.ts";

export interface FileCheckOptions extends CheckFileOptions {
  /** Whether the limits are those of a file that the app made. */
  readonly isGenerated?: boolean;
  /** Whether every name is a model; of requests of other vendors' clients it is. */
  readonly takesAnyModel?: boolean;
  /** Whether bodies are passed on as they are, and nothing in them is checked. */
  readonly isPassedOn?: boolean;
  /** Where its requests are to go; to chat completions by default. */
  readonly endpoint?: string;
}

/** Checks batch input files by the rules of one service. */
export interface FileChecker {
  /** Rejects when the file can't be read, and with the signal's reason. `onProgress`: at most ten times a second. */
  check(path: string, options?: FileCheckOptions): Promise<FileCheck>;
}

/** A thread that checks files by whatever rules each check names. */
export type ValidationThread = WorkerThread<ValidationClient>;

/** The thread starts with the first check of a large file; should it die, the next one starts another. */
export function createValidationThread(url: URL): ValidationThread {
  return createWorkerThread<ValidationClient>({
    url,
    name: "sheaf-validation",
    closedMessage: "The service was closed.",
  });
}

/** Bytes of the largest file that is checked without the thread: its start takes more than the check. */
const smallFile = 64_000;

/** The rules are looked up with each check: they may be others than before. */
export function createFileChecker(
  thread: ValidationThread,
  readRules: (isGenerated: boolean, endpoint: string) => CheckRules,
): FileChecker {
  return {
    async check(path, options = {}) {
      const { isGenerated = false, takesAnyModel = false, endpoint = batchEndpoint, signal, onProgress } = options;
      const { isPassedOn = false } = options;
      const rules = { ...readRules(isGenerated, endpoint), isPassedOn };
      const input = { path, rules: takesAnyModel ? takeAnyModel(rules) : rules };
      signal?.throwIfAborted();
      if ((await stat(path)).size <= smallFile) {
        const { checkFile } = await import("./check-file.ts");
        return await checkFile(path, input.rules, { signal, onProgress });
      }
      for await (const event of await thread.client().check(input, signal && { signal })) {
        if (event.type === "checked") return event.check;
        onProgress?.(event.bytes, event.total);
      }
      throw new Error("The check of a file ended without a result.");
    },
  };
}
