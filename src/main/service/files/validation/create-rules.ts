import { batchEndpoint } from "#contract";
import type { ModelCatalog } from "../../models/index.ts";
import type { CheckRules, FileLimits } from "./rules.ts";

/** The rules for files that name these models, within these limits. */
export function createCheckRules(catalog: ModelCatalog, fileLimits: FileLimits): CheckRules {
  return {
    endpoint: batchEndpoint,
    models: catalog.list().map((model) => ({
      id: model.id,
      names: [model.id, ...model.aliases],
      limits: { ...catalog.limits(model) },
    })),
    fileLimits: { ...fileLimits },
  };
}
