import { remember } from "../../remember.ts";
import {
  isFunctionWord,
  kindsOf,
  type Name,
  type NumberMention,
  readNames,
  rootOf,
  type Word,
  wordsOf,
} from "../../text/index.ts";
import type { Text } from "../../types.ts";
import type { Source } from "./find-source.ts";
import { readNumbersIn } from "./numbers.ts";

/** Of a word that stands everywhere, so many places are kept: what is asked about it then is bounded. */
export const mostPositions = 200;

/** What is evidence, whatever is asked about it and said of it, indexed so that each word of a response is one look-up. */
export interface Passage {
  /** The text that it is, or is a part of. */
  readonly text: Text;
  /** Those of the whole text. */
  readonly words: readonly Word[];
  /** The words of each sentence of the passage. */
  readonly sentences: ReadonlyMap<number, readonly Word[]>;
  readonly numbers: readonly NumberMention[];
  /** Where each key stands among the words, in the passage alone. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** Where each word stands first as it is, where its key is another. */
  readonly forms: ReadonlyMap<string, number>;
  readonly roots: ReadonlySet<string>;
  /** The names of the whole text. */
  readonly names: readonly Name[];
  /** Where names start in the text, and whether they surely are names. */
  readonly nameStarts: ReadonlyMap<number, boolean>;
  /** First letters of names of two and more words: BBC. */
  readonly acronyms: ReadonlyMap<string, number>;
}

/** A text has one passage: all of a document, and of a prompt what doesn't ask. So a document is indexed once for many responses. */
export function indexPassage({ text, passage }: Source): Passage {
  return passageOf(text, passage);
}

const passageOf = remember((text: Text, indexes: readonly number[]): Passage => new ReadPassage(text, indexes));

/**
 * What not every response needs is read when it is first asked for. A class, because getters of an object literal would give each
 * passage a shape of its own, which the engine can neither optimize for nor forget before its next full collection.
 */
class ReadPassage implements Passage {
  readonly text: Text;
  readonly words: readonly Word[];
  readonly sentences: ReadonlyMap<number, readonly Word[]>;
  readonly numbers: readonly NumberMention[];
  readonly positions: ReadonlyMap<string, readonly number[]>;
  readonly #inPassage: ReadonlySet<number>;
  #forms: ReadonlyMap<string, number> | undefined;
  #roots: ReadonlySet<string> | undefined;
  #names: readonly Name[] | undefined;
  #nameStarts: ReadonlyMap<number, boolean> | undefined;
  #acronyms: ReadonlyMap<string, number> | undefined;

  constructor(text: Text, indexes: readonly number[]) {
    this.#inPassage = new Set(indexes);
    this.text = text;
    this.words = wordsOf(text);
    this.sentences = groupBySentence(this.words, this.#inPassage);
    this.numbers = readNumbersIn(text, indexes);
    this.positions = indexKeys(this.words, this.#inPassage);
  }

  get forms() {
    this.#forms ??= indexForms(this.words, this.#inPassage);
    return this.#forms;
  }

  get roots() {
    this.#roots ??= gatherRoots(this.words, this.positions);
    return this.#roots;
  }

  get names() {
    this.#names ??= readNames(this.text, this.words);
    return this.#names;
  }

  get nameStarts() {
    this.#nameStarts ??= new Map(this.names.map(({ from, isSure }) => [this.words[from]?.start ?? 0, isSure]));
    return this.#nameStarts;
  }

  get acronyms() {
    this.#acronyms ??= readAcronyms(this.names, this.words);
    return this.#acronyms;
  }
}

/** Something that is read from a passage, without what stands outside of it in its text. Read once for a passage. */
export function rememberWithin<T extends { readonly at: number }>(
  read: (text: string, words: readonly Word[]) => readonly T[],
): (passage: Passage) => readonly T[] {
  return remember(({ text, words, sentences }: Passage) =>
    read(text.text, words).filter(({ at }) => sentences.has(words[at]?.sentence ?? -1)),
  );
}

/** The words of each sentence that is one of some. Those of a sentence stand together. */
function groupBySentence(words: readonly Word[], among: ReadonlySet<number>): ReadonlyMap<number, readonly Word[]> {
  const sentences = new Map<number, readonly Word[]>();
  for (let from = 0, to = 0; from < words.length; from = to) {
    const sentence = words[from]?.sentence ?? -1;
    while (words[to]?.sentence === sentence) to += 1;
    if (among.has(sentence)) sentences.set(sentence, words.slice(from, to));
  }
  return sentences;
}

function indexKeys(words: readonly Word[], inPassage: ReadonlySet<number>): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word || !inPassage.has(word.sentence)) continue;
    const known = positions.get(word.key);
    if (known === undefined) positions.set(word.key, [at]);
    else if (known.length < mostPositions) known.push(at);
  }
  return positions;
}

function indexForms(words: readonly Word[], inPassage: ReadonlySet<number>): ReadonlyMap<string, number> {
  const forms = new Map<string, number>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word || word.norm === word.key || !inPassage.has(word.sentence)) continue;
    if (!forms.has(word.norm)) forms.set(word.norm, at);
  }
  return forms;
}

function gatherRoots(words: readonly Word[], positions: Passage["positions"]): ReadonlySet<string> {
  const roots = new Set<string>();
  for (const [key, [first = 0]] of positions) {
    roots.add(words[first]?.root ?? key);
    for (const kind of kindsOf(key)) roots.add(rootOf(kind));
  }
  return roots;
}

function readAcronyms(names: readonly Name[], words: readonly Word[]): ReadonlyMap<string, number> {
  const acronyms = new Map<string, number>();
  for (const { from, to } of names) {
    if (to - from < 2) continue;
    let letters = "";
    for (let at = from; at < to; at += 1) {
      const word = words[at];
      if (word && !isFunctionWord(word.norm)) letters += word.norm.charAt(0);
    }
    if (letters.length > 1) acronyms.set(letters, from);
  }
  return acronyms;
}
