import type { Texts } from "./draft/texts.ts";

/**
 * An item of HaluEval (QA) with its made-up answer: the passage, the question and the answer as they stand there.
 * MIT licence, copyright (c) 2020 RUCAIBox; examples/halueval.LICENSE.
 */
export const exampleTexts: Texts = {
  prompt:
    "Gary Harrison, began his career in the 1970s and has written over how many major-label recorded songs including several number-one hits, another artist who have recorded his work include Bryan White, an American country music artist?",
  document:
    "Harrison began his career in the 1970s and has written over 300 major-label recorded songs including several number-one hits.Bryan Shelton White (born February 17, 1974) is an American country music artist.",
  response:
    "Gary Harrison began his career in the early 1980s and has written over 400 major-label recorded songs including many number-one hits, and Bryan White is one of the many country music artists who have recorded his work.",
};
