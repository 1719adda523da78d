import type { Word } from "../../text/index.ts";

/** Fewer words may stand together by chance. */
const fewestWords = 4;
/** "To the question of …, the answer is …": so many words may go before. */
const latest = 6;

/**
 * Where a response says a sentence of the question again, word for word, before it answers: `[from, to)` of its words. Null where
 * nothing follows: then it is the answer.
 */
export function findEcho(
  said: readonly Word[],
  asked: readonly Word[],
): { readonly from: number; readonly to: number } | null {
  for (const sentence of Map.groupBy(asked, (word) => word.sentence).values()) {
    if (sentence.length < fewestWords) continue;
    for (let from = 0; from <= latest && from + sentence.length < said.length; from += 1) {
      if (sentence.every(({ norm }, at) => said[from + at]?.norm === norm)) return { from, to: from + sentence.length };
    }
  }
  return null;
}
