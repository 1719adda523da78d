import type { Word } from "../../../../text/index.ts";
import type { Context } from "../../context.ts";
import type { Sentence } from "../index-sentences.ts";
import { mostOf } from "../most-of.ts";
import type { Asked } from "../read-asked.ts";
import type { Candidate } from "../read-candidates.ts";
import type { Overview } from "./sentence-signs.ts";
import type { Signs } from "./sign-names.ts";

const farthestHead = 16;
const ends = /^(who|which|that|and|by|from|in|of|for)$/;
const participles = /^(directed|based|written|known)$/;

/** Whether the passage calls a candidate what the question asks for: "cantata", "the city of X", "X is a river". */
export function readHeadSigns(
  { evidence }: Context,
  asked: Asked,
  candidate: Candidate,
  { sentences, hasHead }: Overview,
  about: readonly Sentence[],
): Signs {
  const { words } = evidence;
  const signs: Signs = {};
  if (asked.wanted.head === null) return signs;
  for (const { from, to, sentence } of candidate.mentions) {
    const [before, earlier] = [words[from - 1], words[from - 2]];
    const isHere = (word: Word | undefined): boolean => word?.sentence === sentence && asked.isHead(word);
    if (before && (isHere(before) || (isHere(earlier) && /^(of|called|named|the|titled)$/.test(before.norm))))
      signs.headBefore = 1;
    if (words.slice(from, to).some(asked.isHead)) signs.headInName = 1;
    if (sentences.get(sentence)?.words.some(asked.isHead)) signs.headInSentence = 1;
  }
  if (about.some((sentence) => describesAs(sentence, asked))) signs.headOfSubject = 1;
  signs.describedAs = mostOf(about, (sentence) => measureDescription(sentence, asked));
  const isCalled = signs.headBefore ?? signs.headInName ?? signs.headOfSubject;
  if (!isCalled && hasHead) signs.headElsewhere = 1;
  return signs;
}

/** "X is an Italian city in …" */
function describesAs({ words }: Sentence, asked: Asked): boolean {
  const is = words.findIndex(({ norm }) => /^(is|was|are|were)$/.test(norm));
  if (is === -1) return false;
  const predicate = words.slice(is + 1, is + farthestHead);
  const end = predicate.findIndex(
    ({ norm }, at) =>
      at > 0 && (ends.test(norm) || (participles.test(norm) && predicate[at + 1]?.isFunction !== false)),
  );
  return predicate.slice(0, end === -1 ? undefined : end).some(asked.isHead);
}

/** How much of "southern California based", before the noun, a sentence about the candidate has. */
function measureDescription({ keys }: Sentence, { wanted: { phrase, head } }: Asked): number {
  const telling = phrase.filter((word) => word !== head && !word.isFunction);
  return telling.filter(({ key }) => keys.has(key)).length / Math.max(1, telling.length);
}
