export { type Item, readItems, splitItems } from "./items.ts";
export { rate, type Share, scoreCuts, scorePhrasings, scorePlain, scoreSwaps, sum, type Way } from "./score.ts";
