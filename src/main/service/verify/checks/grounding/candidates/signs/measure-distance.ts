import type { Word } from "../../../../text/index.ts";
import type { AskedWord } from "../read-asked.ts";
import type { Mention } from "../read-candidates.ts";

/**
 * How many words stand between a mention and the nearest place of a word in its sentence, of words with some keys: 0 right beside
 * it, infinitely many where it isn't within reach.
 */
export function measureDistance(
  words: readonly Word[],
  { from, to, sentence }: Mention,
  reach: number,
  asked: ReadonlySet<string>,
): (word: AskedWord) => number {
  const nearest = new Map<string, number>();
  const distanceTo = (key: string): number => nearest.get(key) ?? Number.POSITIVE_INFINITY;
  for (let at = Math.max(0, from - reach); at < Math.min(words.length, to + reach); at += 1) {
    const word = words[at];
    if (word?.sentence !== sentence || (at >= from && at < to)) continue;
    const distance = at < from ? from - at - 1 : at - to;
    for (const key of [word.key, word.root])
      if (asked.has(key) && distance < distanceTo(key)) nearest.set(key, distance);
  }
  return ({ key, root }) => Math.min(distanceTo(key), distanceTo(root));
}

/** The keys and roots that some words are compared by. */
export function keysOf(words: readonly AskedWord[]): ReadonlySet<string> {
  return new Set(words.flatMap(({ key, root }) => [key, root]));
}
