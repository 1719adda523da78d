import { remember } from "../../../../../remember.ts";
import type { Word } from "../../../../../text/index.ts";
import type { Context } from "../../../context.ts";
import { readWanted, wordsOfQuestion } from "../../read-wanted.ts";

/** In words, from the article to the noun. */
const longestNoun = 7;
/** "Who was Lingotto's first and only designer": so far after the verb may stand what is asked for. */
const farthestPossessed = 6;
const articles = /^(the|a|an)$/;
const being = /^(is|was|are|were|s)$/;
const going =
  /^(of|who|that|which|whose|by|from|in|at|with|for|on|behind|near|after|before|to|whom|where|about|as|between|against|inside|under|beside|along)$/;
const prepositions = /^(in|at|on|from|for|by|with|to|under|near|of|after|off)$/;
/** Participles that their ending doesn't tell. */
const irregular =
  /^(made|born|shot|set|led|won|built|known|held|found|sung|run|written|sold|cut|lost|sent|bought|based|named|called|put)$/;
/** Nouns that describe nothing: "the name of", "the end of". */
const empty =
  /^(names?|year|title|kind|type|part|end|role|number|first|last|second|third|same|other|time|day|date|early|late|world|start|beginning|age|rank|front|north|south|east|west|middle|final|most|present|current|total|percentage|amount|cost|price)$/;

interface Described {
  /** Where its article or its possessed noun stands. */
  readonly at: number;
  readonly noun: number;
  readonly isPossessed: boolean;
}

/**
 * Whether a question describes somebody or something, and asks for something else of them: "the man who cast the bridge",
 * "Lingotto's designer". What it only asks for ("Who was the designer of Lingotto?") is not meant.
 */
export const describesSubject = remember(({ question, reading }: Context): { readonly isDescribed: boolean } => {
  const words = wordsOfQuestion(question);
  const { at, head, kind } = readWanted(question);
  const end = head === null ? at : words.indexOf(head);
  const asks = words[at]?.norm ?? "";
  // "In which town is the stadium that": what is asked for is where it is.
  const isBeside = prepositions.test(words[at - 1]?.norm ?? "");
  const isDescribed = findDescribed(reading.prompt.text, words).some((described) => {
    if (described.noun <= end) return at === -1 || at > described.noun + 1;
    if (isBeside || !isAskedFor(words, end, described)) return true;
    return (
      /^(when|where|how)/.test(asks) || (kind !== "person" && endsWithVerb(words) && words.length - 1 > described.noun)
    );
  });
  return { isDescribed };
});

/** "Who was the designer of": what follows the verb at once is the answer itself. */
function isAskedFor(words: readonly Word[], end: number, { at, isPossessed }: Described): boolean {
  const between = at - end - 1;
  return between > 0 && between <= (isPossessed ? farthestPossessed : 1) && being.test(words[end + 1]?.norm ?? "");
}

/** "What film was the director of X known for?" */
function endsWithVerb(words: readonly Word[]): boolean {
  const last = words.at(-1);
  return last !== undefined && !last.isCapital && (isParticiple(last) || /^(die|live|from|in|at|on)$/.test(last.norm));
}

function findDescribed(text: string, words: readonly Word[]): readonly Described[] {
  return words.flatMap((word, at): Described[] => {
    const isPossessed = isPossessive(text, words[at - 1], word);
    if (!isPossessed && !articles.test(word.norm)) return [];
    const noun = findNoun(text, words, isPossessed ? at : at + 1);
    if (noun === null || empty.test(words[noun]?.norm ?? "")) return [];
    const next = words[noun + 1];
    const isModified =
      isPossessed ||
      (next !== undefined && (going.test(next.norm) || isParticiple(next))) ||
      words.slice(at + 1, noun).some(({ isFunction }) => !isFunction);
    return isModified ? [{ at, noun, isPossessed }] : [];
  });
}

function isPossessive(text: string, before: Word | undefined, word: Word): boolean {
  if (!before || word.isFunction || word.isCapital) return false;
  return /^['’]s?\s$/.test(text.slice(before.end, word.start));
}

/** The last small word of a run, up to a small word of grammar, a participle or a name that follows it. */
function findNoun(text: string, words: readonly Word[], from: number): number | null {
  let noun: number | null = null;
  for (let at = from; at < Math.min(words.length, from + longestNoun); at += 1) {
    const word = words[at];
    if (!word || word.isFunction || going.test(word.norm)) break;
    if (noun !== null && (word.isCapital || isParticiple(word))) break;
    if (!word.isCapital && !word.isNumber) noun = at;
    if (text.slice(word.end, words[at + 1]?.start).startsWith(",")) break;
  }
  return noun;
}

function isParticiple({ norm, isCapital }: Word): boolean {
  return !isCapital && (/(ed|wn|lt)$/.test(norm) || irregular.test(norm));
}
