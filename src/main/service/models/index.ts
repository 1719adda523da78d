export { createModelCatalog, type Tier } from "./catalog.ts";
export { defaultModels } from "./default-models.ts";
export { parseModels } from "./parse-models.ts";
