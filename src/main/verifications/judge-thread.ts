import { type JudgeChoice, verifyResultSchema } from "#contract";
import { createVerifier, type Verifier, type VerifierDeps } from "#main/judging";
import { createWorkerThread, type WorkerThread } from "#main/storage";
import type { JudgeClient } from "./judge-worker.ts";

/** Judges responses by rules and grades answers, so that the thread of the app is never busy with a long one. */
export type JudgeThread = WorkerThread<JudgeClient>;

/** The thread starts with the first call; should it die, the next call starts another. */
export function createJudgeThread(url: URL): JudgeThread {
  return createWorkerThread({ url, name: "sheaf-judge", closedMessage: "The service was closed." });
}

/** The judge that a choice asks for. Throws a ServiceError when it can't be had. */
export type FindVerifier = (choice: JudgeChoice) => Verifier;

/** Judges whose rules work in the thread, also those that ask a model. */
export function createFindVerifier(thread: JudgeThread, parts: Omit<VerifierDeps, "rules">): FindVerifier {
  const rules: Verifier = {
    judge: "rules",
    prepare() {
      thread.client();
    },
    async verify(input, { signal, onProgress } = {}) {
      const [outcome] = await thread.client().judge([input], signal && { signal });
      if (outcome === undefined) throw new Error("The thread that judges responses left one out.");
      const result = verifyResultSchema.parse(JSON.parse(outcome.result));
      onProgress?.(result.claims.length, result.claims.length);
      return result;
    },
  };
  return (choice) => createVerifier(choice, { ...parts, rules });
}
