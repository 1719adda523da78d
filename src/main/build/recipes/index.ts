export { type CompiledRecipe, compileRecipe } from "./compile-recipe.ts";
