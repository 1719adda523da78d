import type { Text } from "../types.ts";
import type { Word } from "./words.ts";

/** A name as it is in a text: `[from, to)` of the text's words. */
export interface Name {
  readonly from: number;
  readonly to: number;
}

/** Months and weekdays are part of dates; forms of address may be left out. */
const noName =
  /^(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?s?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|mrs?|ms|miss|dr|prof|sir)$/;

/** "Ludwig van Beethoven", "Bank of England". */
const joiner = /^(?:of|the|de|van|von|der|den|del|della|da|di|la|le|du|el|bin|al)$/;
/** In words. What continues longer is a line in capitals. */
const longest = 16;

/** The names of a text: words with a capital in a row, and a single one where its place alone does not explain the capital. */
export function readNames({ text }: Text, words: readonly Word[]): readonly Name[] {
  const names: Name[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at];
    if (!isName(first)) continue;
    let to = at + 1;
    for (let next = to; next < at + longest; next += 1) {
      const [before, word] = [words[next - 1], words[next]];
      if (before === undefined || word === undefined || !isJoined(text, before, word)) break;
      if (isName(word)) to = next + 1;
      else if (!joiner.test(words[next]?.raw ?? "")) break;
    }
    if (to - at > 1 || !opens(text, first) || isWritten(first)) names.push({ from: at, to });
    at = to - 1;
  }
  return names;
}

function isName(word: Word | undefined): word is Word {
  return word?.isCapital === true && !word.isFunction && !noName.test(word.norm);
}

/** Nothing but a space, a hyphen, an ampersand, or the dot of an initial is between two words of a name. */
function isJoined(text: string, { end, raw }: Word, { start }: Word): boolean {
  const gap = text.slice(end, start);
  return gap === " " || gap === "-" || gap === " & " || (gap === ". " && raw.length === 1);
}

const openers = "\n:\"“”‘'(*-–—•#>[{|_`.!?";

function opens(text: string, word: Word): boolean {
  if (word.isFirst) return true;
  const before = text.slice(Math.max(0, word.start - 9), word.start).trimEnd();
  return before === "" || openers.includes(before.charAt(before.length - 1));
}

/** Written as only names and abbreviations are: IBM, eBay, DTEK60. */
function isWritten({ raw }: Word): boolean {
  return raw.length > 1 && raw.slice(1) !== raw.slice(1).toLowerCase();
}
