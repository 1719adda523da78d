import type { TextSpan } from "#contract";
import { type Word, wordsOf } from "../../text/index.ts";
import type { Range, Reading } from "../../types.ts";
import type { Source } from "./find-source.ts";
import { indexPassage, type Passage } from "./passage.ts";
import { isSpelledOtherwise } from "./spellings.ts";

/** What a response is held against: the passage, and what was asked about it. */
export interface Evidence extends Omit<Passage, "text" | "numbers" | "names"> {
  readonly source: Source;
  readonly passage: Passage;
  /** What the prompt itself brings up outside the passage. */
  readonly asked: ReadonlySet<string>;
  readonly askedRoots: ReadonlySet<string>;
}

/** The passage with the question to it. */
export function indexEvidence(reading: Reading, source: Source): Evidence {
  return new IndexedEvidence(source, indexPassage(source), readAsked(reading, source));
}

/** A class for the same reason as a passage. */
class IndexedEvidence implements Evidence {
  readonly source: Source;
  readonly passage: Passage;
  readonly words: Passage["words"];
  readonly sentences: Passage["sentences"];
  readonly positions: Passage["positions"];
  readonly asked: ReadonlySet<string>;
  readonly askedRoots: ReadonlySet<string>;

  constructor(source: Source, passage: Passage, { asked, askedRoots }: Pick<Evidence, "asked" | "askedRoots">) {
    this.source = source;
    this.passage = passage;
    this.words = passage.words;
    this.sentences = passage.sentences;
    this.positions = passage.positions;
    this.asked = asked;
    this.askedRoots = askedRoots;
  }

  get forms() {
    return this.passage.forms;
  }

  get roots() {
    return this.passage.roots;
  }

  get nameStarts() {
    return this.passage.nameStarts;
  }

  get acronyms() {
    return this.passage.acronyms;
  }
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
