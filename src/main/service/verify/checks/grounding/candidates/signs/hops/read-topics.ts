import type { Word } from "../../../../../text/index.ts";
import type { Sentence } from "../../index-sentences.ts";
import { readHead } from "../../wanted-kinds.ts";

/** So far from the beginning a pronoun still says whom a sentence goes on about. In words. */
const farthestPronoun = 8;
const longestRole = 4;
const pronouns = /^(he|she|it|they|his|her|its|their)$/;

/**
 * Which candidate each sentence is about, by the indexes of both. Beyond what stands at its beginning: "In 1996 he left" goes on
 * about somebody, and "The coach was …" does not.
 */
export function readTopics(sentences: ReadonlyMap<number, Sentence>): ReadonlyMap<number, number> {
  const topics = new Map<number, number>();
  let last: number | undefined;
  for (const [index, { words, topic }] of sentences) {
    if (opensWithRole(words)) continue;
    const goesOn = words.slice(0, farthestPronoun).some(({ norm }) => pronouns.test(norm));
    const now: number | undefined = topic ?? (goesOn ? last : undefined);
    if (now === undefined) continue;
    topics.set(index, now);
    last = now;
  }
  return topics;
}

/** "The coach was …" says who it was. */
function opensWithRole(words: readonly Word[]): boolean {
  if (words[0]?.norm !== "the") return false;
  const noun = words.slice(1, longestRole);
  const end = noun.findIndex(({ isFunction }) => isFunction);
  return noun
    .slice(0, end === -1 ? undefined : end)
    .some((word) => !word.isCapital && readHead([word])?.kind === "person");
}
