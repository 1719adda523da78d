import { remember } from "../../../../../remember.ts";
import type { Word } from "../../../../../text/index.ts";
import type { Question } from "../../../question.ts";
import { isPossessive, readWanted, type Wanted, wordsOfQuestion } from "../../read-wanted.ts";

/** The two steps of a question: somebody is described, and something else of them is asked for. */
export interface Split {
  /** "Was born in which city". */
  readonly asked: readonly Word[];
  /** "The director of the 1973 film that …". */
  readonly described: readonly Word[];
  /** "Director". */
  readonly head: Word;
}

/** In words, before the word that asks. */
const longestPredicate = 8;
const auxiliary = /^(is|was|are|were|did|does|do|has|have|had|can|could|will|would|must|should)$/;
const being = /^(is|was|are|were)$/;
const relative = /^(that|who|which|whose|whom|where|when)$/;
const linking = /^(of|by|in|from|with|at|on|for|about|behind|near|to|before|after|between|around|inside|into)$/;
const determiner = /^(the|a|an|this|his|her|its|their)$/;
const superlative = /^(first|last|only|most|least|main|chief)$|..est$/;
const otherEst =
  /^(north|south)?west$|^(guest|forest|harvest|interest|contest|protest|request|conquest|priest|arrest)$/;
/** Participles that their ending doesn't tell. */
const irregular =
  /^(written|born|known|made|built|sung|won|held|led|set|shot|drawn|given|sold|spoken|found|lost|taken|named|run)$/;

/** Where a question describes somebody and asks for something of them; null where it has one step only. */
export const splitQuestion = remember((question: Question): { readonly split: Split | null } => {
  const words = wordsOfQuestion(question);
  const wanted = readWanted(question);
  if (wanted.at === -1 || wanted.at >= words.length) return { split: null };
  const opens = wanted.at < 4 && words.slice(0, wanted.at).every(({ isFunction }) => isFunction);
  return { split: opens ? splitOpening(words, wanted) : splitEnding(words, wanted) };
});

/** "Who directed the film that …", "In what city was the director of … born". */
function splitOpening(words: readonly Word[], { at, phrase }: Wanted): Split | null {
  const last = phrase.at(-1);
  const end = last === undefined ? at + 1 : words.indexOf(last) + 1;
  const [first, second] = [words[end], words[end + 1]];
  // "Which college that has sent …" describes what is asked for itself.
  if (!first || !second || relative.test(first.norm)) return null;
  if (!auxiliary.test(first.norm)) return splitAt(words, end, findDescribed(words, end + 1));
  if (!opensNoun(words, end + 1)) return splitAt(words, end + 1, findDescribed(words, end + 2));
  if (being.test(first.norm) && phrase.length === 0 && /^(who|what)/.test(words[at]?.norm ?? ""))
    return splitAt(words, end + 1, findDescribed(words, end + 2));
  const head = findHead(words.slice(end + 1));
  if (head === null) return null;
  const verb =
    head === words.at(-1) ? words.length - 1 : findVerb(words, words.indexOf(head) + 1, being.test(first.norm));
  if (verb === -1) return phrase.length === 0 ? null : toSplit(phrase, words.slice(end + 1));
  // "Was the treaty signed that ended the war": the rest describes, too.
  const rest = isRelated(words, verb) ? words.slice(verb + 1) : [];
  const asked = words.slice(verb, rest.length > 0 ? verb + 1 : undefined);
  return toSplit([...phrase, ...asked], [...words.slice(end + 1, verb), ...rest]);
}

function splitAt(words: readonly Word[], from: number, described: number): Split | null {
  return described === -1 ? null : toSplit(words.slice(from, described), words.slice(described));
}

/** "The director of the 1973 film that … was born in which city?" */
function splitEnding(words: readonly Word[], { at, phrase }: Wanted): Split | null {
  let start = at;
  while (start > 0 && at - start < longestPredicate) {
    const [before, word, next] = [words[start - 2], words[start - 1], words[start]];
    if (!word || !next || word.isCapital || word.isNumber || next.start > word.end + 1) break;
    start -= 1;
    if (auxiliary.test(word.norm)) break;
    // "Is the grandson of a pioneer in what field": a noun is no verb.
    const isNoun = before === undefined || determiner.test(before.norm) || ownsNext(before, word);
    if (word.isFunction || isNoun) continue;
    start -= [1, 2, 3].find((step) => auxiliary.test(words[start - step]?.norm ?? "")) ?? 0;
    break;
  }
  const asked = words.slice(start);
  // "The rival who fled is who?" asks for the described.
  if (!asked.some((word) => !word.isFunction && !phrase.includes(word))) return null;
  return toSplit(asked, words.slice(0, start));
}

/** Where the first noun begins of which more is said: "the film that", "Freeman's rival". */
function findDescribed(words: readonly Word[], from: number): number {
  for (let at = from; at < words.length - 1; at += 1) {
    if (opensNoun(words, at) && findHead(words.slice(at)) !== null) return at;
  }
  return -1;
}

function opensNoun(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const isYear = word?.isNumber === true && words[at + 1]?.isFunction === false;
  return word !== undefined && (determiner.test(word.norm) || word.isCapital || isYear);
}

/** "Rebuild" of "did the father of Anne rebuild", "born" of "was the director of the film that … born in". */
function findVerb(words: readonly Word[], from: number, isPassive: boolean): number {
  const found: number[] = [];
  for (let at = from; at < words.length; at += 1) {
    const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
    if (!before || !word || word.isCapital || word.isNumber) continue;
    if (word.isFunction && !(word.norm === "have" || (isPassive && word.norm === "from" && !next))) continue;
    if ((before.isFunction && !/^(it|him|her|them)$/.test(before.norm)) || ownsNext(before, word)) continue;
    if (next && !next.isFunction && !next.isCapital && !next.isNumber) continue;
    if (
      isPassive
        ? isParticiple(word) || word.norm === "from"
        : !isParticiple(word) && !/(s|ing|tion|ment|ity)$/.test(word.norm)
    )
      found.push(at);
  }
  return found.find((at) => isRelated(words, at)) ?? (isPassive ? found.at(-1) : found[0]) ?? -1;
}

function isRelated(words: readonly Word[], verb: number): boolean {
  return relative.test(words[verb + 1]?.norm ?? "");
}

function isParticiple({ norm, isCapital }: Word): boolean {
  return !isCapital && (/[^e]ed$/.test(norm) || irregular.test(norm));
}

function ownsNext(word: Word, next: Word): boolean {
  return isPossessive(word, next) || /^(whose|his|her|its|their)$/.test(word.norm);
}

function toSplit(asked: readonly Word[], described: readonly Word[]): Split | null {
  const head = findHead(described);
  if (head === null) return null;
  return { asked, described, head };
}

/** "Director" of "the director of", where more is said of it than a name that stands beside it. */
function findHead(words: readonly Word[]): Word | null {
  let [head, isSpecial]: [Word | null, boolean] = [null, false];
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (
      head !== null &&
      (relative.test(word.norm) || linking.test(word.norm) || isParticiple(word) || word.norm.endsWith("ing"))
    )
      return head;
    if (word.isFunction && !determiner.test(word.norm) && !linking.test(word.norm)) return isSpecial ? head : null;
    if (head !== null && (word.isCapital || word.isNumber)) return null;
    if ((superlative.test(word.norm) && !otherEst.test(word.norm)) || (next && ownsNext(word, next))) isSpecial = true;
    else if (!word.isFunction && !word.isCapital && !word.isNumber) head = word;
  }
  return isSpecial ? head : null;
}
