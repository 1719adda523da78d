import { kindsOf, type Word } from "../../../text/index.ts";
import type { Context } from "../context.ts";
import type { AskedWord } from "./read-asked.ts";
import type { Candidate } from "./read-candidates.ts";
import { relationsOf } from "./relations.ts";
import { trackTopics } from "./track-topics.ts";

/** A sentence of the passage, as the question is held against it. */
export interface Sentence {
  readonly words: readonly Word[];
  /** Of its words: keys, roots, and what they are kinds of. */
  readonly keys: ReadonlySet<string>;
  readonly relations: ReadonlySet<number>;
  /** Which candidate it is about: its subject, or that of the sentences before where it names none of its own. */
  readonly topic: number | null;
  /** Which candidate its paragraph opens with, as an article of an encyclopedia opens with its title. */
  readonly title: number | null;
}

/** The sentences of the passage with what each is about, by their indexes. */
export function indexSentences({ evidence }: Context, candidates: readonly Candidate[]): ReadonlyMap<number, Sentence> {
  const topics = trackTopics(evidence, candidates);
  const found = new Map<number, Sentence>();
  for (const [index, words] of evidence.sentences) {
    const { subject = null, title = null } = topics.get(index) ?? {};
    found.set(index, { words, keys: keysOf(words), relations: findRelations(words), topic: subject, title });
  }
  return found;
}

function keysOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.flatMap(({ key, root }) => [key, root, ...kindsOf(key)]));
}

/** The relations that some words speak of; names speak of none. */
function findRelations(words: readonly Word[]): ReadonlySet<number> {
  return new Set(words.flatMap(({ root, isCapital }) => (isCapital ? [] : [...relationsOf(root)])));
}

/** Whether some words have one of the question, or its root. */
export function hasWord(keys: ReadonlySet<string>, { key, root }: AskedWord): boolean {
  return keys.has(key) || keys.has(root);
}
