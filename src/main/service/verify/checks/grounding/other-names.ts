import { isDemonym, type Name, type Word } from "../../text/index.ts";
import type { Context } from "./context.ts";
import { type Evidence, positionsOf } from "./evidence.ts";
import { findWholeName, type Mention } from "./find-whole-name.ts";
import { findSection, hasKey } from "./sections.ts";
import { isFormOfName } from "./spellings.ts";

/** The words of each that a question offers to choose from. */
export type Offered = readonly (readonly Word[])[];

/** Of a name that stands everywhere, so many places are looked at. */
const mostPlaces = 40;
/** In words. */
const longestName = 8;
const widestApposition = 6;

/** Whether a name of the response may be another one of something that the question offers, by itself or by the passage. */
export function mayBeOffered({ answer, evidence }: Context, { from, to }: Name, offered: Offered): boolean {
  const words = answer.words.slice(from, to).filter(({ isFunction }) => !isFunction);
  if (words.every(({ norm }) => isDemonym(norm))) return fitsOne(evidence, words, offered);
  if (offered.some((each) => isForm(words, each))) return true;
  const keys = keysOf(words);
  const own = keysOf(offered.flat());
  if (offered.some((each) => findWholeName(evidence, each).some((mention) => isApposed(evidence, mention, keys))))
    return true;
  const { sentences } = findSection(evidence, own);
  return words.some((word) =>
    positionsOf(evidence, word)
      .slice(0, mostPlaces)
      .some((at) => {
        const isTold = sentences.has(evidence.words[at]?.sentence ?? -1);
        return isWithinName(evidence, at, own) || (isTold && isCalled(evidence, at));
      }),
  );
}

/** "French", where one of those offered is said to be French and the others are not. */
function fitsOne(evidence: Evidence, words: readonly Word[], offered: Offered): boolean {
  const fitting = offered.filter((each, at) => {
    const others = keysOf(offered.flatMap((other, index) => (index === at ? [] : other)));
    const section = findSection(evidence, keysOf(each), others);
    return words.every(({ key }) => hasKey(evidence, section, key));
  });
  return fitting.length === 1;
}

function keysOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.flatMap(({ key, isFunction }) => (isFunction ? [] : [key])));
}

/** "Hibs" of Hibernian, "Bill Lee" of William Lee, "CUP" of Cambridge University Press and the other way round. */
function isForm(words: readonly Word[], offered: readonly Word[]): boolean {
  const own = offered.filter(({ isFunction }) => !isFunction);
  return words.some((word) => own.some((other) => isLike(word, other))) || spells(words, own) || spells(own, words);
}

const fewestLetters = 3;

function isLike({ key, norm }: Word, other: Word): boolean {
  if (key === other.key || isFormOfName(norm, other.norm)) return true;
  const [short, long] = norm.length < other.norm.length ? [norm, other.norm] : [other.norm, norm];
  const stem = short.replace(/(ies|[sy])$/, "");
  if (stem.length >= fewestLetters && long.startsWith(stem)) return true;
  // "Kanchenjunga" and "Kangchenjunga".
  return (
    long.length - short.length < fewestLetters &&
    short.slice(0, fewestLetters) === long.slice(0, fewestLetters) &&
    short.slice(-fewestLetters) === long.slice(-fewestLetters)
  );
}

/** Whether one word is the first letters of others. */
function spells([first, ...rest]: readonly Word[], words: readonly Word[]): boolean {
  if (!first || rest.length > 0 || words.length < 2) return false;
  return first.norm === words.map(({ norm }) => norm.charAt(0)).join("");
}

/** "Ann Lee (Tenant)", "the Supplier, or Corvel", "the chair is Bo Chen"; not "Ann Lee, Bo Chen and …". */
const apposes =
  /^["“”'\s]*([(–—:]|,?\s*(or|is|was|as|called|named|now|aka|the))["“”'\s]*((the|a|an|our|as|mr|mrs|ms|dr|or|now|aka)\.?\s+)*["“”']*$/i;

/** What goes on longer puts no name beside another. In characters. */
const longestGap = 60;

function isApposing(gap: string): boolean {
  return gap.length <= longestGap && apposes.test(gap);
}

/** Whether the names before and after a mention are said to be the same as what it mentions, and one of them is meant. */
function isApposed({ words, source }: Evidence, { from, to }: Mention, keys: ReadonlySet<string>): boolean {
  const gap = (a: number, b: number): string => source.text.text.slice(words[a]?.end ?? 0, words[b]?.start ?? 0);
  const isMeant = (at: number): boolean => keys.has(words[at]?.key ?? "");
  for (let next = to; next < to + widestApposition; next += 1) {
    if (!words[next]?.isCapital) continue;
    if (runOf(words, next).some(isMeant) && isApposing(gap(to - 1, next))) return true;
    break;
  }
  for (let last = from - 1; last >= Math.max(0, from - widestApposition); last -= 1) {
    if (!words[last]?.isCapital) continue;
    return runOf(words, last).some(isMeant) && isApposing(gap(last, from));
  }
  return false;
}

/** The places of the words with a capital around one, with nothing but a space between them. */
function runOf(words: readonly Word[], at: number): readonly number[] {
  const run = [at];
  for (const step of [-1, 1]) {
    for (let place = at + step; Math.abs(place - at) < longestName && follows(words, place, step); place += step)
      run.push(place);
  }
  return run;
}

function follows(words: readonly Word[], place: number, step: number): boolean {
  const [word, before] = [words[place], words[place - step]];
  if (!word?.isCapital || word.sentence !== before?.sentence) return false;
  return Math.max(word.start, before.start) - Math.min(word.end, before.end) === 1;
}

/** Whether a word stands in one name with a word that is offered. */
function isWithinName({ words }: Evidence, at: number, own: ReadonlySet<string>): boolean {
  return runOf(words, at).some((place) => own.has(words[place]?.key ?? ""));
}

const calling = new Set(
  "known called named nicknamed dubbed titled entitled renamed formerly originally previously now aka alias born nee pseudonym name nickname or trading".split(
    " ",
  ),
);
const joining = new Set("as the a an by of is was also its his her their simply commonly popularly".split(" "));

/** "Also known as …", "(formerly …)", "the pen name of …". */
function isCalled({ words }: Evidence, at: number): boolean {
  let before = Math.min(...runOf(words, at)) - 1;
  while (at - before < longestName && joining.has(words[before]?.norm ?? "")) before -= 1;
  const word = words[before];
  return word?.sentence === words[at]?.sentence && calling.has(word?.norm ?? "");
}
