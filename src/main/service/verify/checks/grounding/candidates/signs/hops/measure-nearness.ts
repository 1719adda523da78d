import type { Word } from "../../../../../text/index.ts";
import type { AskedWord } from "../../read-asked.ts";
import type { Mention } from "../../read-candidates.ts";

/** So far to each side of a name, in words, and after how many of them nearness falls to a third. */
export interface Reach {
  readonly reach: number;
  readonly fall: number;
}

/** How near to a mention, in its sentence, the words with some keys stand: 1 right beside it, less after each word between. */
export function measureNearness(
  words: readonly Word[],
  { from, to, sentence }: Mention,
  { reach, fall }: Reach,
  asked: ReadonlySet<string>,
): (word: AskedWord) => number {
  const near = new Map<string, number>();
  const keep = (key: string, value: number): void => {
    if (asked.has(key) && value > (near.get(key) ?? 0)) near.set(key, value);
  };
  for (let at = Math.max(0, from - reach); at < Math.min(words.length, to + reach); at += 1) {
    const word = words[at];
    if (word?.sentence !== sentence || (at >= from && at < to)) continue;
    const value = Math.exp(-(at < from ? from - at - 1 : at - to) / fall);
    keep(word.key, value);
    keep(word.root, value);
  }
  return ({ key, root }) => Math.max(near.get(key) ?? 0, near.get(root) ?? 0);
}

/** The keys and roots that some words are compared by. */
export function keysOf(words: readonly AskedWord[]): ReadonlySet<string> {
  return new Set(words.flatMap(({ key, root }) => [key, root]));
}
