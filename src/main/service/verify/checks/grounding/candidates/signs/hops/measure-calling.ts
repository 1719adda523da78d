import type { Word } from "../../../../../text/index.ts";
import type { Sentence } from "../../index-sentences.ts";
import type { Mention } from "../../read-candidates.ts";
import { relationsOf } from "../../relations.ts";

/** "Director of" stands so near to the director. In words. */
const reach = 4;
/** A sentence says what its subject is at its beginning. In words. */
const longestPredicate = 24;
/** "Directed" for the director; less where it stands before a name without "by". */
const [related, loosely] = [0.7, 0.4];

/** Who is called what from the other side: "the father of Anne" by "the daughter of Frederick". */
const inverses: ReadonlyMap<string, RegExp> = new Map([
  ["father", /^(son|daughter|child|children)$/],
  ["mother", /^(son|daughter|child|children)$/],
  ["parent", /^(son|daughter|child|children)$/],
  ["son", /^(father|mother)$/],
  ["daughter", /^(father|mother)$/],
  ["brother", /^sister$/],
  ["sister", /^brother$/],
  ["husband", /^(wife|married)$/],
  ["wife", /^(husband|married)$/],
  ["uncle", /^(nephew|niece)$/],
  ["aunt", /^(nephew|niece)$/],
  ["teacher", /^(pupil|student|studied)$/],
  ["pupil", /^(teacher|taught)$/],
  ["student", /^(teacher|taught)$/],
]);

/** How far a word calls somebody what the question calls them: from 0 to 1. */
export function readCalling(head: Word): (word: Word) => number {
  const relations = relationsOf(head.root);
  const inverse = inverses.get(head.norm);
  return ({ key, root, norm, isCapital }) => {
    if (isCapital) return 0;
    if (key === head.key || root === head.root || inverse?.test(norm)) return 1;
    return relations.isDisjointFrom(relationsOf(root)) ? 0 : related;
  };
}

/** How far the words beside a candidate's names, or the sentences about it, call it so. */
export function measureCalling(
  words: readonly Word[],
  mentions: readonly Mention[],
  about: readonly Sentence[],
  isCalled: (word: Word) => number,
): number {
  let most = 0;
  for (const mention of mentions) most = Math.max(most, measureBeside(words, mention, isCalled));
  for (const sentence of about) {
    for (const word of sentence.words.slice(0, longestPredicate)) most = Math.max(most, isCalled(word));
  }
  return most;
}

function measureBeside(
  words: readonly Word[],
  { from, to, sentence }: Mention,
  isCalled: (word: Word) => number,
): number {
  const measure = (word: Word | undefined): number => (word?.sentence === sentence ? isCalled(word) : 0);
  const before = words.slice(Math.max(0, from - reach), from);
  if (before.at(-1)?.norm === "by" && measure(before.at(-2)) > 0) return 1;
  const said = Math.max(0, ...before.map(measure));
  return Math.max(said === 1 ? 1 : Math.min(said, loosely), ...words.slice(to, to + reach).map(measure));
}
