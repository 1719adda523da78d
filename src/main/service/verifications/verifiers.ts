import { type JudgeChoice, verifyResultSchema } from "#contract";
import { createVerifier, type Verifier, type VerifierParts } from "../verify/index.ts";
import type { JudgeThread } from "./judge-thread.ts";

/** The judge that a choice asks for. Throws a ServiceError when it can't be had. */
export type FindVerifier = (choice: JudgeChoice) => Verifier;

/** Judges whose rules work in a thread of their own, also those that ask a model. */
export function createFindVerifier(thread: JudgeThread, parts: Omit<VerifierParts, "rules">): FindVerifier {
  const rules = createThreadVerifier(thread);
  return (choice) => createVerifier(choice, { ...parts, rules });
}

function createThreadVerifier(thread: JudgeThread): Verifier {
  return {
    judge: "rules",
    prepare() {
      thread.client();
    },
    async verify(input, { signal, onProgress } = {}) {
      const [judgement] = await thread.client().judge([input], signal && { signal });
      if (judgement === undefined) throw new Error("The thread that judges responses left one out.");
      const result = verifyResultSchema.parse(JSON.parse(judgement.result));
      onProgress?.(result.claims.length, result.claims.length);
      return result;
    },
  };
}
