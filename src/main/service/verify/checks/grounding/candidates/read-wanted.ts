import { remember } from "../../../remember.ts";
import type { Word } from "../../../text/index.ts";
import type { Question } from "../question.ts";
import { readHead, type WantedKind } from "./wanted-kinds.ts";

/** What a question asks for. */
export interface Wanted {
  readonly kind: WantedKind;
  /** Where it asks: the index of "which" among the question's words; -1 where nothing asks. */
  readonly at: number;
  /** "city" of "in what Italian city". */
  readonly head: Word | null;
  /** "Italian city": all words between "what" and the verb. */
  readonly phrase: readonly Word[];
}

const mostWords = 60;

/** The words of a question, or so many of a text that asks at more length. */
export function wordsOfQuestion({ words }: Question): readonly Word[] {
  return words.slice(0, mostWords);
}

const asking = /^(who|whom|whose|what|which|when|where|how|whats|whos|wholl|whod|wheres|whens|hows)$/;
/** These hardly ever relate, as "which", "who" and "where" do. */
const askingOnly = /^(what|whats|whom|how|hows)$/;

/** What is asked for, from the word that asks and the noun after it. */
export const readWanted = remember(({ words, kind }: Question): Wanted => {
  const at = findAsking(words);
  const norm = words[at]?.norm ?? "";
  const phrase = /^(what|whats|which)$/.test(norm) ? readPhrase(words, at) : [];
  const head = readHead(phrase);
  return { at, phrase, head: head?.word ?? null, kind: kindOf(norm, head?.kind ?? null, kind) };
});

function kindOf(asks: string, head: WantedKind | null, kind: Question["kind"]): WantedKind {
  if (/^(who|whom|whos|wholl|whod)$/.test(asks)) return "person";
  if (asks.startsWith("when")) return "year";
  if (asks.startsWith("where")) return "place";
  if (head !== null) return head;
  if (kind === "how-many") return "number";
  return kind === "when" ? "year" : "other";
}

function findAsking(words: readonly Word[]): number {
  const opening = words.findIndex(({ norm }) => asking.test(norm));
  if (opening !== -1 && opening < 4 && words.slice(0, opening).every(({ isFunction }) => isFunction)) return opening;
  const only = words.findLastIndex(({ norm }) => askingOnly.test(norm));
  if (only !== -1) return only;
  const last = words.findLastIndex((word, at) => asking.test(word.norm) && !relates(words, at));
  const which = words.findLastIndex(
    ({ norm }, at) => norm === "which" && !/^(in|of|for|on|to|from)$/.test(words[at - 1]?.norm ?? ""),
  );
  // "The botanist after which a plant is named was born in which city?"
  const isEnd = last !== which && readPhrase(words, last).at(-1) === words.at(-1);
  return isEnd || last === words.length - 1 || which === -1 ? last : which;
}

/** "The producer, who was …" asks nothing; "In 1997, who won …" does. */
function relates(words: readonly Word[], at: number): boolean {
  const [first, before, word] = [words[0], words[at - 1], words[at]];
  const followsComma = before !== undefined && word !== undefined && word.start - before.end > 1;
  return followsComma && at < words.length - 1 && (first?.norm === "the" || first?.isFunction === false);
}

const skipped = /^(is|are|was|were|s|the|of|a|an|name|names|type|kind|sort|he|his|her|their)$/;
const verbs =
  /^(starred|stars|won|wrote|written|led|sang|made|held|plays|gives|contains|includes|serves|sung|born|built|sold|begun|located|shares|share|play|belong|belongs|feature|features|featured|directed|presents|present|hosted|hosts|appears|published|released)$/;
const longestPhrase = 9;
/** The apostrophe, the s and the space that a word's end leaves out. */
const possessive = 3;

/** Whether a word owns the next: "band's album". */
export function isPossessive({ end }: Word, next: Word | undefined): boolean {
  return next?.start === end + possessive;
}

/** The words after "which", up to a verb or a small word. */
function readPhrase(words: readonly Word[], at: number): readonly Word[] {
  let from = at + 1;
  while (from < at + 5 && skipped.test(words[from]?.norm ?? "")) from += 1;
  const phrase: Word[] = [];
  for (const [index, word] of words.slice(from, from + longestPhrase).entries()) {
    if (word.isFunction && word.raw !== "US") break;
    if (phrase.length > 0 && isVerb(word, words[from + index + 1])) break;
    phrase.push(word);
    // "Which band's fifth album" asks for the band.
    if (isPossessive(word, words[from + index + 1]) && readHead([word])?.kind !== undefined) break;
  }
  return phrase;
}

/** "Which film starred", but not "which nominated film" nor "which Oscar-nominated film". */
function isVerb(word: Word, next: Word | undefined): boolean {
  if (word.isCapital || !(verbs.test(word.norm) || word.norm.endsWith("ed")) || next === undefined) return false;
  return next.start !== word.end + 1 || next.isFunction || next.isCapital || readHead([next])?.kind === undefined;
}

const comparatives =
  /^(older|younger|longer|shorter|bigger|larger|smaller|higher|lower|taller|heavier|lighter|earlier|later|sooner|more|fewer|less|cheaper|deeper|hotter|colder|faster|slower|newer|wider|nearer|closer|further|farther)$/;

/** Whether two things are compared: dates and amounts tell then which it is, not what stands beside it. */
export function isComparison({ words, options }: Question): boolean {
  const has = (pattern: RegExp): boolean => words.some(({ norm }) => pattern.test(norm));
  const isOneOf = /^(of|among|between)$/.test(words[0]?.norm ?? "") && has(/^(which|who)$/);
  const isRanked = has(/^(first|last)$/) && has(/^(two|between|both|one)$/);
  return options !== null || has(comparatives) || isOneOf || isRanked;
}

/** Whether a word of a question says something of what it asks for. */
export function isTelling({ norm, isFunction, isNeutral }: Word): boolean {
  return (
    !isFunction && (!isNeutral || /^(born|named|known|called|plays?|played|role|work|first|originally)$/.test(norm))
  );
}
