export { cutWrongAnswer } from "./cuts.ts";
export { type Item, readItems, splitItems } from "./items.ts";
export { type Phrasing, phrasings } from "./phrasings.ts";
export { restate } from "./restate.ts";
export {
  isFlagged,
  rate,
  type Score,
  type Share,
  scoreCuts,
  scorePhrasings,
  scorePlain,
  scoreSwaps,
  sum,
  type Way,
} from "./score.ts";
export { swapAnswers } from "./swaps.ts";
