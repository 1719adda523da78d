import { type JudgeChoice, verifyResultSchema } from "#contract";
import { ServiceError } from "../errors.ts";
import type { Verifier } from "../verify/index.ts";
import type { RulesThread } from "./rules-thread/index.ts";

/** The judge that a choice asks for. Throws a ServiceError when it can't be had. */
export type FindVerifier = (choice: JudgeChoice) => Verifier;

export function createFindVerifier(thread: RulesThread): FindVerifier {
  const rules = createThreadVerifier(thread);
  return ({ judge }) => {
    if (judge === "rules") return rules;
    throw new ServiceError("invalid_value", "Only the rules can judge.", "judge");
  };
}

function createThreadVerifier(thread: RulesThread): Verifier {
  return {
    judge: "rules",
    async verify(input, { signal, onProgress } = {}) {
      const [judgement] = await thread.judge([input], signal);
      if (judgement === undefined) throw new Error("The thread that judges responses left one out.");
      const result = verifyResultSchema.parse(JSON.parse(judgement.result));
      onProgress?.(result.claims.length, result.claims.length);
      return result;
    },
  };
}
