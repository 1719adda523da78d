export { type CompiledRecipe, compileRecipe, type RenderedRow } from "./compile-recipe.ts";
