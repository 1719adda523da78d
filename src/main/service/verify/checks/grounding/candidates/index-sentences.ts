import { kindsOf, type Word } from "../../../text/index.ts";
import type { Context } from "../context.ts";
import type { AskedWord } from "./read-asked.ts";
import type { Candidate } from "./read-candidates.ts";
import { relationsOf } from "./relations.ts";

/** A sentence of the passage, as the question is held against it. */
export interface Sentence {
  readonly words: readonly Word[];
  /** Of its words: keys, roots, and what they are kinds of. */
  readonly keys: ReadonlySet<string>;
  readonly relations: ReadonlySet<number>;
  /** Which candidate it is about: its subject, or that of the sentence before where it goes on with "he" or "the film". */
  readonly topic: number | null;
}

const pronouns = /^(he|she|it|they|his|her|its|their|this|these)$/;
/** A subject stands so near to the beginning. */
const farthestTopic = 2;

/** The sentences of the passage with what each is about, by their indexes. */
export function indexSentences({ evidence }: Context, candidates: readonly Candidate[]): ReadonlyMap<number, Sentence> {
  const subjects = findSubjects(evidence.sentences, evidence.words, candidates);
  const found = new Map<number, Sentence>();
  let topic: number | null = null;
  for (const [index, words] of evidence.sentences) {
    if (!goesOn(words) || found.size === 0) topic = subjects.get(index) ?? null;
    found.set(index, { words, keys: keysOf(words), relations: findRelations(words), topic });
  }
  return found;
}

function findSubjects(
  sentences: ReadonlyMap<number, readonly Word[]>,
  words: readonly Word[],
  candidates: readonly Candidate[],
): ReadonlyMap<number, number> {
  const subjects = new Map<number, number>();
  for (const [index, { kind, mentions }] of candidates.entries()) {
    if (kind !== "name") continue;
    for (const { sentence, from } of mentions) {
      const before = words[from - farthestTopic - 1];
      const opens = before === undefined || before.sentence !== sentence;
      if (opens && sentences.has(sentence) && !subjects.has(sentence)) subjects.set(sentence, index);
    }
  }
  return subjects;
}

function goesOn([first, second]: readonly Word[]): boolean {
  return pronouns.test(first?.norm ?? "") || (first?.norm === "the" && second?.isCapital === false);
}

function keysOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.flatMap(({ key, root }) => [key, root, ...kindsOf(key)]));
}

/** The relations that some words speak of; names speak of none. */
export function findRelations(words: readonly Word[]): ReadonlySet<number> {
  return new Set(words.flatMap(({ root, isCapital }) => (isCapital ? [] : [...relationsOf(root)])));
}

export function hasWord(keys: ReadonlySet<string>, { key, root }: AskedWord): boolean {
  return keys.has(key) || keys.has(root);
}
