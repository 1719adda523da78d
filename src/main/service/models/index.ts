export {
  createModelCatalog,
  defaultModels,
  type Model,
  type ModelCatalog,
  parseModels,
  type Tier,
  type TokenLimits,
} from "./catalog.ts";
