export { createModelCatalog, type Tier } from "./catalog.ts";
export { defaultModels } from "./default-models.ts";
export type { Model, ModelCatalog, TokenLimits } from "./model.ts";
export { parseModels } from "./parse-models.ts";
