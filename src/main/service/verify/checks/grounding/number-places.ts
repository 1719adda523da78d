import { isCalendarWord, type Word } from "../../text/index.ts";
import { firstFrom } from "../../text/ranges.ts";

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

/** The index of the word at a place of the text, or of the next; of the last where none follows. */
export function findWord(words: readonly Word[], start: number): number {
  const next = firstFrom(words, start);
  const isWithin = (words[next - 1]?.end ?? 0) > start;
  return isWithin ? next - 1 : Math.max(0, Math.min(next, words.length - 1));
}
