import { monthOf, type Word } from "../../text/index.ts";
import type { Range } from "../../types.ts";

/** When somebody was born, and the words of the name that stands before: "Ann Lee (born 7 June 1981)". */
export interface Birth extends Range {
  /** Null where no name stands before. `[from, to)`. */
  readonly name: { readonly from: number; readonly to: number } | null;
  /** "1981-jun-7", as far as it is known. */
  readonly date: string;
  /** Where "born" or the bracket's date stands. */
  readonly at: number;
}

const farthestYear = 9;
const farthestName = 8;

/** The full dates of birth that a text gives: after "born", and at the start of brackets with a life's two dates. */
export function readBirths(text: string, words: readonly Word[]): readonly Birth[] {
  const births: Birth[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const isBorn = !word.isCapital && word.norm === "born";
    if (!isBorn && !opensLife(text, words, at)) continue;
    const date = readDate(words, isBorn ? at + 1 : at);
    if (date !== null)
      births.push({ name: findName(words, at), date: date.text, at, start: word.start, end: date.end });
  }
  return births;
}

/** "(4 May 1904 – 2 June 1980)" */
function opensLife(text: string, words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (!word || text.charAt(word.start - 1) !== "(" || !(word.isNumber || isMonth(word))) return false;
  const previous = words[at - 1];
  if (!previous) return false;
  if (text.slice(previous.end, word.start) !== " (") return false;
  return /^[^()]{4,24}[–-][^()]{4,24}\)/u.test(text.slice(word.start, word.start + 60));
}

function isMonth({ norm, isCapital }: Word): boolean {
  return isCapital && monthOf(norm) > 0;
}

/** The first full date that follows in the sentence. */
function readDate(words: readonly Word[], from: number): { readonly text: string; readonly end: number } | null {
  const sentence = words[from]?.sentence;
  let [month, day]: [string | null, string | null] = [null, null];
  for (let at = from; at < from + farthestYear && words[at]?.sentence === sentence; at += 1) {
    const word = words[at];
    if (!word) break;
    if (isMonth(word)) month = word.norm.slice(0, 3);
    else if (/^[12]\d{3}$/.test(word.norm))
      return month !== null && day !== null ? { text: `${word.norm}-${month}-${day}`, end: word.end } : null;
    else if (/^[0-3]?\d(st|nd|rd|th)?$/.test(word.norm)) day = String(Number.parseInt(word.norm, 10));
  }
  return null;
}

/** The nearest name before, in the same sentence. */
function findName(words: readonly Word[], at: number): Birth["name"] {
  const sentence = words[at]?.sentence;
  let to = at;
  while (to > at - farthestName && words[to - 1]?.sentence === sentence && words[to - 1]?.isCapital !== true) to -= 1;
  let from = to;
  while (words[from - 1]?.sentence === sentence && words[from - 1]?.isCapital === true) from -= 1;
  while (from < to && words[from]?.isFunction === true) from += 1;
  return from < to ? { from, to } : null;
}
