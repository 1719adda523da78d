import type { TextSpan } from "#contract";
import { lazy } from "../../lazy.ts";
import { isFunctionWord, kindsOf, type Name, readNames, rootOf, type Word, wordsOf } from "../../text/index.ts";
import type { Range, Reading } from "../../types.ts";
import type { Source } from "./find-source.ts";
import { isSpelledOtherwise } from "./spellings.ts";

/** Of a word that stands everywhere, so many places are kept: what is asked about it then is bounded. */
export const mostPositions = 200;

/** The evidence, indexed once, so that each word of a response is one look-up. */
export interface Evidence {
  readonly source: Source;
  readonly words: readonly Word[];
  /** The words of each sentence of the passage. */
  readonly sentences: ReadonlyMap<number, readonly Word[]>;
  /** Where each key stands among the words, in the passage alone. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** Where each word stands first as it is, where its key is another. */
  readonly forms: ReadonlyMap<string, number>;
  readonly roots: ReadonlySet<string>;
  /** Where names start in the text, and whether they surely are names. */
  readonly nameStarts: ReadonlyMap<number, boolean>;
  /** First letters of names of two and more words: BBC. */
  readonly acronyms: ReadonlyMap<string, number>;
  /** What the prompt itself brings up outside the passage. */
  readonly asked: ReadonlySet<string>;
  readonly askedRoots: ReadonlySet<string>;
}

/** What not every response needs is read from the text when it is first asked for. */
export function indexEvidence(reading: Reading, source: Source): Evidence {
  const words = wordsOf(source.text);
  const inPassage = new Set(source.passage);
  const sentences = groupBySentence(words, inPassage);
  const positions = indexKeys(words, inPassage);
  const forms = lazy(() => indexForms(words, inPassage));
  const roots = lazy(() => gatherRoots(words, positions));
  const names = lazy(() => readNames(source.text, words));
  const nameStarts = lazy(() => new Map(names().map(({ from, isSure }) => [words[from]?.start ?? 0, isSure])));
  const acronyms = lazy(() => readAcronyms(names(), words));
  return {
    source,
    words,
    sentences,
    positions,
    get forms() {
      return forms();
    },
    get roots() {
      return roots();
    },
    get nameStarts() {
      return nameStarts();
    },
    get acronyms() {
      return acronyms();
    },
    ...readAsked(reading, source),
  };
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

function gatherRoots(words: readonly Word[], positions: Evidence["positions"]): ReadonlySet<string> {
  const roots = new Set<string>();
  for (const [key, [first = 0]] of positions) {
    roots.add(words[first]?.root ?? key);
    for (const kind of kindsOf(key)) roots.add(rootOf(kind));
  }
  return roots;
}

/** What the question brings up. */
function readAsked(reading: Reading, source: Source): Pick<Evidence, "asked" | "askedRoots"> {
  const asked = new Set<string>();
  const askedRoots = new Set<string>();
  const inQuestion = new Set(source.question);
  for (const { key, norm, root, sentence } of wordsOf(reading.prompt)) {
    if (!inQuestion.has(sentence)) continue;
    asked.add(key);
    asked.add(`=${norm}`);
    askedRoots.add(root);
  }
  return { asked, askedRoots };
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

/** Where a word's key stands in the passage. */
export function positionsOf(evidence: Evidence, word: Word): readonly number[] {
  const positions = evidence.positions.get(word.key);
  if (positions !== undefined) return positions;
  const form = evidence.forms.get(word.norm);
  return form === undefined ? [] : [form];
}

/** Whether the passage has the word: as it is, inflected, or as a synonym; a name in another spelling; other words in another part of speech. */
export function isInPassage(evidence: Evidence, word: Word): boolean {
  if (evidence.positions.has(word.key) || evidence.forms.has(word.norm)) return true;
  if (word.isCapital && (evidence.acronyms.has(word.norm) || isSpelledOtherwise(evidence, word))) return true;
  return !word.isCapital && !word.isNumber && word.norm.length > 3 && evidence.roots.has(word.root);
}

/** Whether the question has the word. */
export function isAsked(evidence: Evidence, word: Word): boolean {
  // That "Canadian" is asked about does not make "Canada" a part of the question.
  if (word.key.startsWith("place:")) return evidence.asked.has(`=${word.norm}`);
  if (evidence.asked.has(word.key)) return true;
  return !word.isCapital && !word.isNumber && word.norm.length > 3 && evidence.askedRoots.has(word.root);
}

/** The sentence of the evidence that a word stands in. */
export function sentenceSpan({ source, words }: Evidence, at: number): TextSpan {
  const sentence = words[at]?.sentence ?? 0;
  return spanOfRange(source, source.text.sentences[sentence] ?? { start: 0, end: 0 });
}

function spanOfRange({ text }: Source, { start, end }: Range): TextSpan {
  return { source: text.source, start, end, text: text.text.slice(start, end) };
}
