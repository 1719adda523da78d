export { type Item, readItems, readQuestions, splitItems, type TextQuestion } from "./items.ts";
export { crossValidate, findMargin, learnWeights, readExamples } from "./learn-weights.ts";
export {
  rate,
  type Share,
  scoreCuts,
  scorePhrasings,
  scorePlain,
  scoreSwaps,
  scoreVariants,
  sum,
  type Way,
} from "./score.ts";
