import type { JudgeChoice } from "#contract";
import type { Clock, Ids } from "#main/base";
import { ServiceError } from "#main/base";
import type { ModelDeps } from "../model/ask-model.ts";
import { findModel, type ModelSources } from "../model/find-model.ts";
import type { Verifier } from "./types.ts";

/** What a judge is made of; a judge by rules needs none of it. */
export interface VerifierDeps extends ModelSources {
  readonly ids: Ids;
  /** The machine's: it times the calls of a model. */
  readonly clock: Clock;
  /** Longest that one call of a model may take, in milliseconds; two minutes by default. */
  readonly timeout?: number;
  /** The system message that the model was trained with, in place of ours. */
  readonly system?: string;
  /** The judge by rules, where it is one that works elsewhere (in a thread, say). */
  readonly rules?: Verifier;
}

const usualTimeout = 120_000;
/**
 * The judge that was chosen.
 * @throws ServiceError when a model is needed and none is named, or its engine makes its answers up
 */
export function createVerifier({ judge, preset, ...asked }: JudgeChoice, parts: VerifierDeps): Verifier {
  const { rules = createRulesVerifier() } = parts;
  if (judge === "rules") return rules;
  const options = { judge, preset, ...toModelDeps(asked, parts) };
  return {
    judge,
    // Loaded when it is first asked, as the rules are.
    async verify(input, signals) {
      const { createModelVerifier } = await import("./model/model-judge.ts");
      return createModelVerifier(rules, options).verify(input, signals);
    },
  };
}

function toModelDeps(
  { model, connectionId }: Pick<JudgeChoice, "model" | "connectionId">,
  parts: VerifierDeps,
): ModelDeps {
  const { ids, clock, system, timeout = usualTimeout } = parts;
  if (model === null) {
    throw new ServiceError("missing_required_parameter", "A model that judges must be named.", "model");
  }
  const found = findModel({ model, connectionId }, parts, "judge");
  return { ...found, ids, clock, timeout, refused: new Set(), ...(system !== undefined && { system }) };
}

/** The judge by rules, loaded when it is first needed: most starts of the app and the command line never verify. */
export function loadRulesJudge(): Promise<typeof import("./rules-judge.ts")> {
  return import("./rules-judge.ts");
}

/** The rules as a Verifier. */
export function createRulesVerifier(): Verifier {
  return {
    judge: "rules",
    prepare() {
      loadRulesJudge().catch(() => undefined);
    },
    async verify(input, { signal, onProgress } = {}) {
      const { judgeByRules } = await loadRulesJudge();
      signal?.throwIfAborted();
      const result = judgeByRules(input);
      onProgress?.(result.claims.length, result.claims.length);
      return result;
    },
  };
}
