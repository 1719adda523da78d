import { isCalendarWord, type Word } from "../../text/index.ts";

/** Where a part of a sentence ends: at a semicolon, a bracket, a comma before a word, at "and" or "while". */
export function separates(gap: string, word: Word, step: number): boolean {
  const isPlain = gap === " ";
  if (!isPlain && /[;()–—:]/.test(gap)) return true;
  if (!isPlain && gap.includes(",") && !word.isNumber && !isCalendarWord(word.norm) && step > 0) return true;
  return (
    word.norm === "and" ||
    word.norm === "while" ||
    word.norm === "whereas" ||
    word.norm === "but" ||
    word.norm === "then"
  );
}

/** The index of the word at a place of the text, or of the next. */
export function findWord(words: readonly Word[], start: number): number {
  let [low, high] = [0, words.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}
