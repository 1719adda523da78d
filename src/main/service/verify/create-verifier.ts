import type { JudgeChoice } from "#contract";
import { ServiceError } from "../errors.ts";
import type { ModelCatalog } from "../model-catalog.ts";
import type { Clock, Engine, Ids } from "../ports.ts";
import { quote } from "../quote.ts";
import type { ModelParts } from "./model/ask-model.ts";
import type { Verifier } from "./types.ts";

/** What a judge is made of; a judge by rules needs none of it. */
export interface VerifierParts {
  readonly engine: Engine;
  readonly models: ModelCatalog;
  /** What asks the models of a connection; none by default. */
  readonly engineAt?: (connectionId: string) => Engine;
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
const mockCantJudge =
  "A model can't judge here: the mock engine would answer for it, and makes its answers up, so that its verdicts would mean nothing.";

/**
 * The judge that was chosen.
 * @throws ServiceError when a model is needed and none is named, the one that is named is unknown, or its engine makes its
 * answers up
 */
export function createVerifier({ judge, preset, ...asked }: JudgeChoice, parts: VerifierParts): Verifier {
  const { rules = createRulesVerifier() } = parts;
  if (judge === "rules") return rules;
  const options = { judge, preset, ...toModelParts(asked, parts) };
  return {
    judge,
    // Loaded when it is first asked, as the rules are.
    async verify(input, signals) {
      const { createModelVerifier } = await import("./model/model-judge.ts");
      return createModelVerifier(rules, options).verify(input, signals);
    },
  };
}

function toModelParts(
  { model: name, connectionId }: Pick<JudgeChoice, "model" | "connectionId">,
  parts: VerifierParts,
): ModelParts {
  const { models, ids, clock, system, timeout = usualTimeout } = parts;
  const common = { ids, clock, timeout, ...(system !== undefined && { system }) };
  if (name === null) {
    throw new ServiceError("missing_required_parameter", "A model that judges must be named.", "model");
  }
  const elsewhere = connectionId === undefined ? undefined : parts.engineAt?.(connectionId);
  // Whatever a connection's service calls a model is one.
  if (elsewhere !== undefined) return { engine: elsewhere, model: name, ...common };
  const model = models.find(name);
  if (model === undefined) throw new ServiceError("model_not_found", `The model ${quote(name)} is unknown.`, "model");
  if (parts.engine.isMock === true) throw new ServiceError("invalid_value", mockCantJudge, "model");
  return { engine: parts.engine, model: model.id, ...common };
}

type RulesJudge = typeof import("./rules-judge.ts").judgeByRules;

/**
 * The judge by rules as a function. It stands on dictionaries and grammars that take a while to load, so that nobody
 * waits for them who does not verify.
 */
export async function loadRulesJudge(): Promise<RulesJudge> {
  return (await import("./rules-judge.ts")).judgeByRules;
}

/** The rules as a Verifier. */
export function createRulesVerifier(): Verifier {
  return {
    judge: "rules",
    prepare() {
      loadRulesJudge().catch(() => undefined);
    },
    async verify(input, { signal, onProgress } = {}) {
      const judgeByRules = await loadRulesJudge();
      signal?.throwIfAborted();
      const result = judgeByRules(input);
      onProgress?.(result.claims.length, result.claims.length);
      return result;
    },
  };
}
