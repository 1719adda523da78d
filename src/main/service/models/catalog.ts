import { defaultModels } from "./default-models.ts";
import type { Model, ModelCatalog, TokenLimits } from "./model.ts";

/** The plan that the limits are those of. */
export type Tier = "free" | "standard";

/** Tokens by tier, for the R1 model and for the others (service-interface.md, Limits; `32k` read as 32,000). */
const limitsByTier: Readonly<Record<Tier, { reasoning: TokenLimits; other: TokenLimits }>> = {
  free: {
    reasoning: { context: 32_000, output: 4_000 },
    other: { context: 32_000, output: 4_000 },
  },
  standard: {
    reasoning: { context: 164_000, output: 164_000 },
    other: { context: 131_000, output: 131_000 },
  },
};

/** The catalogue of `models` with the limits of `tier`. Throws when two models share a name. */
export function createModelCatalog(tier: Tier, models: readonly Model[] = defaultModels): ModelCatalog {
  const byName = new Map<string, Model>();
  for (const model of models) {
    for (const name of new Set([model.id, ...model.aliases])) {
      if (byName.has(name)) throw new Error(`Two models have the name "${name}".`);
      byName.set(name, model);
    }
  }
  const limits = limitsByTier[tier];
  return {
    list: () => models,
    find: (name) => byName.get(name),
    limits: (model) => (model.reasoning ? limits.reasoning : limits.other),
  };
}
