import type { JudgeChoice } from "#contract";
import { ServiceError } from "../errors.ts";
import type { ModelCatalog } from "../models/index.ts";
import type { Clock, Engine, Ids } from "../ports.ts";
import { quote } from "../quote.ts";
import type { ModelParts } from "./model/index.ts";
import { createRulesVerifier } from "./rules-verifier.ts";
import type { Verifier } from "./types.ts";

/** What a judge is made of; a judge by rules needs none of it. */
export interface VerifierParts {
  readonly engine: Engine;
  readonly models: ModelCatalog;
  readonly ids: Ids;
  /** The machine's: it times the calls of a model. */
  readonly clock: Clock;
  /** Longest that one call of a model may take, in milliseconds; two minutes unless told. */
  readonly timeout?: number;
  /** The system message that the model was trained with, in place of ours. */
  readonly system?: string;
  /** The judge by rules, where it is one that works elsewhere (in a thread, say). */
  readonly rules?: Verifier;
}

const usualTimeout = 120_000;

/**
 * The judge that was chosen.
 * @throws ServiceError when a model is needed and none is named, or the one that is named is unknown
 */
export function createVerifier({ judge, model }: JudgeChoice, parts: VerifierParts): Verifier {
  const { rules = createRulesVerifier() } = parts;
  switch (judge) {
    case "rules":
      return rules;
    case "model":
    case "both":
      return createLater(judge, rules, toModelParts(model, parts));
  }
}

/** Loaded when it is first asked, as the rules are. */
function createLater(judge: "model" | "both", rules: Verifier, parts: ModelParts): Verifier {
  return {
    judge,
    async verify(input, options) {
      const { createBothVerifier, createModelVerifier } = await import("./model-judge.ts");
      const create = judge === "both" ? createBothVerifier : createModelVerifier;
      return create(rules, parts).verify(input, options);
    },
  };
}

function toModelParts(name: string | null, parts: VerifierParts): ModelParts {
  const { engine, models, ids, clock, system, timeout = usualTimeout } = parts;
  if (name === null) {
    throw new ServiceError("missing_required_parameter", "A model that judges must be named.", "model");
  }
  const model = models.find(name);
  if (model === undefined) throw new ServiceError("model_not_found", `The model ${quote(name)} is unknown.`, "model");
  return { engine, model: model.id, ids, clock, timeout, ...(system !== undefined && { system }) };
}
