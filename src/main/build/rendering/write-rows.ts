import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { Recipe } from "#contract";
import { compileRecipe } from "../recipes/index.ts";
import { createThrottle } from "../throttle.ts";
import { createRenderPass, type PassInput } from "./render-pass.ts";
import type { WriteProgress } from "./write-progress.ts";

/**
 * Renders all rows into a batch input file at `target`, and checks them on the way. Tells of progress at most ten times
 * a second; the last word says what is in the file. Ended early, it leaves a part of the file behind.
 */
export async function* writeRows(input: PassInput, recipe: Recipe, target: string): AsyncGenerator<WriteProgress> {
  const pass = createRenderPass(input, compileRecipe(recipe, input.source.columns));
  const isTime = createThrottle();
  const file = createWriteStream(target);
  const closed = finished(file);
  closed.catch(() => undefined);
  try {
    for await (const text of pass.run()) {
      if (!file.write(text)) await Promise.race([once(file, "drain"), closed]);
      if (isTime()) yield { done: pass.progress(false).done, total: input.source.rowCount, result: null };
    }
  } finally {
    file.end();
  }
  await closed;
  const { done, errorCount } = pass.progress(true);
  const { lines, leftOut, firstError } = pass;
  yield { done, total: input.source.rowCount, result: { lines, leftOut, errorCount, firstError } };
}
