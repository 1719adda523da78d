import type { CheckProgress, Recipe } from "#contract";
import { compileRecipe } from "../recipes/index.ts";
import { createThrottle } from "../throttle.ts";
import { createRenderPass, type PassInput } from "./render-pass.ts";

/**
 * Checks all that a table and a recipe would send. Tells of progress at most ten times a second; the last word is
 * `finished`. A recipe that can't be used ends the check before the first row.
 */
export async function* checkRows(input: PassInput, recipe: Recipe): AsyncGenerator<CheckProgress> {
  const pass = createRenderPass(input, compileRecipe(recipe, input.source.columns));
  const isTime = createThrottle();
  for await (const _lines of pass.run()) {
    if (isTime()) yield pass.progress(false);
  }
  yield pass.progress(true);
}
