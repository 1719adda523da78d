import { kindsOf, type Word } from "../../../text/index.ts";
import type { Context } from "../context.ts";
import { isTelling, readWanted, type Wanted, wordsOfQuestion } from "./read-wanted.ts";
import { relationsOf } from "./relations.ts";

/** A word of the question that says something of what it asks for. */
export interface AskedWord {
  readonly key: string;
  readonly root: string;
  /** 1 for a word that the passage has once, less for one that it has everywhere. */
  readonly weight: number;
  /** 1 beside the word that asks, less farther away. */
  readonly nearness: number;
  readonly isName: boolean;
}

/** A question, as what stands beside an answer in the passage is held against it. */
export interface Asked {
  readonly wanted: Wanted;
  readonly words: readonly AskedWord[];
  /** The relations that the question speaks of, with how near to the word that asks. */
  readonly relations: readonly { readonly of: ReadonlySet<number>; readonly nearness: number }[];
  /** Whether a word of the passage is what is asked for: a city for "which city", a novelist for "which author". */
  readonly isHead: (word: Word) => boolean;
}

const auxiliary = /^(is|was|are|were|did|does|do|has|have|had|can|could|will|must|should)$/;

/** Reads a question for what stands beside its answer. */
export function readAsked({ question, evidence }: Context): Asked {
  const wanted = readWanted(question);
  const all = wordsOfQuestion(question);
  const nearness = measureNearness(all, wanted);
  const words = new Map<string, AskedWord>();
  const relations: { of: ReadonlySet<number>; nearness: number }[] = [];
  for (const [at, word] of all.entries()) {
    const { key, root, isCapital } = word;
    const isName = isCapital && at > 0;
    const of = isName ? null : relationsOf(root);
    if (of !== null && of.size > 0) relations.push({ of, nearness: nearness(at) });
    if (!isTelling(word) || words.has(key)) continue;
    const times = evidence.positions.get(key)?.length ?? 0;
    const weight = 1 / (1 + Math.max(0, times - 1) * 0.3);
    words.set(key, { key, root, weight, nearness: nearness(at), isName });
  }
  const head = wanted.head;
  return {
    wanted,
    words: [...words.values()],
    relations,
    isHead: (word) => head !== null && !word.isNumber && !isDeed(word, head) && isKindOf(word, head),
  };
}

/** What is asked stands beside "which …"; in "In which city was the director of X born?" it stands at the end, too. */
function measureNearness(words: readonly Word[], { at, phrase }: Wanted): (index: number) => number {
  if (at === -1) return () => 0.5;
  const after = words.slice(at + 1, at + phrase.length + 3);
  const endsWithVerb = at < 3 && after.some(({ norm }) => auxiliary.test(norm));
  return (index) =>
    Math.max(1 / (1 + Math.abs(index - at) / 3), endsWithVerb ? 1 / (1 + (words.length - 1 - index) / 2) : 0);
}

/** "Narrating" is not called a narrator. */
function isDeed({ norm }: Word, head: Word): boolean {
  return norm !== head.norm && /(ing|ed)$/.test(norm);
}

function isKindOf({ key, root }: Word, head: Word): boolean {
  const kinds = [head.key, head.root];
  return [key, root, ...kindsOf(key)].some((each) => kinds.includes(each));
}

/** How much of what is asked something has, each word wholly, not at all or in part: from 0 to 1. */
export function shareOf(
  asked: readonly AskedWord[],
  has: (word: AskedWord) => boolean | number,
  measure: "weight" | "nearness" = "weight",
): number {
  let [found, total] = [0, 0];
  for (const word of asked) {
    total += word[measure];
    found += word[measure] * Number(has(word));
  }
  return total === 0 ? 0 : found / total;
}
