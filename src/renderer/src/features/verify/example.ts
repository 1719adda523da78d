import type { Texts } from "./texts.ts";

/**
 * An item of HaluEval (QA) with its made-up answer: the passage, the question and the answer as they stand there.
 * MIT licence, copyright (c) 2020 RUCAIBox; examples/halueval.LICENSE.
 */
export const exampleTexts: Texts = {
  prompt: "Are Pam Veasey and Jon Jost both American?",
  document:
    "Pamela Renea Veasey (born May 25, 1962) is an American television writer, producer and director.Jon Jost (born 16 May 1943 in Chicago) is an American independent filmmaker.",
  response: "No, Pam Veasey is Canadian.",
};
