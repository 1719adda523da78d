import type { Text } from "../types.ts";
import type { Word } from "./words.ts";

/** A name as it is in a text: `[from, to)` of the text's words. */
export interface Name {
  readonly from: number;
  readonly to: number;
  /** False where only its place makes the word a capital: the start of a sentence, an item, a quotation. */
  readonly isSure: boolean;
}

const connectors = new Set("of the de van von der den del della da di la le du el y bin al ibn and for".split(" "));
const joiners = new Set("of the de van von der den del della da di la le du el y bin al ibn".split(" "));
const calendar =
  /^(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?s?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
const titles = new Set(
  "mr mrs ms miss dr prof professor sir lady lord president king queen prince princess mayor senator governor saint st captain general colonel doctor judge justice minister pope".split(
    " ",
  ),
);

/** In words. What continues longer is a line in capitals. */
const longestName = 16;

/** Forms of address, which a text may leave out. */
export function isTitle(norm: string): boolean {
  return titles.has(norm);
}

/** Months and weekdays are part of dates, not names. */
function isCalendarWord(norm: string): boolean {
  return norm.length < 11 && calendar.test(norm);
}

/** The names of a text: runs of words with a capital, with the small words that join them. */
export function readNames({ text }: Text, words: readonly Word[]): readonly Name[] {
  const names: Name[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!canStart(words[at])) continue;
    const to = endOfName(text, words, at);
    const from = dropOpening(words, at, to);
    const first = words[from];
    if (first && from < to && (to - from > 1 || isNamed(first))) {
      names.push({ from, to, isSure: to - from > 1 || !opens(text, first) || isWritten(first) });
    }
    at = Math.max(at, to - 1);
  }
  return names;
}

function canStart(word: Word | undefined): boolean {
  return word?.isCapital === true && !isCalendarWord(word.norm);
}

/** A word that opens a sentence has its capital from there; it counts as part of a name only if it says something. */
function dropOpening(words: readonly Word[], from: number, to: number): number {
  let start = from;
  for (let word = words[start]; word && start < to; word = words[start]) {
    const isDropped = word.isFunction || !word.isCapital;
    if (!isDropped) break;
    start += 1;
  }
  return start;
}

function isNamed(word: Word): boolean {
  return word.raw.length > 1 || word.isNumber;
}

function endOfName(text: string, words: readonly Word[], from: number): number {
  let to = from + 1;
  for (let at = to; at < Math.min(words.length, from + longestName); at += 1) {
    const [previous, word] = [words[at - 1], words[at]];
    if (!previous || !word || word.sentence !== previous.sentence || !isJoined(text, previous, word)) break;
    if (word.isCapital && !isCalendarWord(word.norm) && !(word.isFunction && !connectors.has(word.norm))) to = at + 1;
    else if (!joiners.has(word.norm) && !isGlued(text, previous, word)) break;
    else if (isGlued(text, previous, word) && !word.isCapital) break;
  }
  return to;
}

function isGlued(text: string, a: Word, b: Word): boolean {
  return text.slice(a.end, b.start) === "-";
}

/** Nothing but a space, a hyphen, an ampersand, or the dot of an initial is between two words of a name. */
function isJoined(text: string, a: Word, b: Word): boolean {
  const gap = text.slice(a.end, b.start);
  if (gap === " " || gap === "-" || gap === " & " || gap === "’s " || gap === "'s ") return true;
  return (gap === ". " || gap === ".") && (a.raw.length === 1 || isTitle(a.norm));
}

const openers = "\n:\"“”‘'(*-–—•#>[{|_`.!?";

function opens(text: string, word: Word): boolean {
  if (word.isFirst) return true;
  let at = word.start - 1;
  while (at >= 0 && text.charAt(at) === " ") at -= 1;
  return at < 0 || openers.includes(text.charAt(at));
}

/** Written as only names and abbreviations are: IBM, eBay, DTEK60. */
function isWritten({ raw }: Word): boolean {
  return raw.length > 1 && raw.slice(1) !== raw.slice(1).toLowerCase();
}
