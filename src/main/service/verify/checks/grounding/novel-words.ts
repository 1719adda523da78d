import { remember } from "../../remember.ts";
import { leadStem, rootOf, type Speech, tagSpeech, type Word } from "../../text/index.ts";
import { relationsOf } from "./candidates/index.ts";
import type { Context } from "./context.ts";
import type { Passage } from "./passage.ts";
import type { Answer, Statement } from "./response.ts";
import { isOmissible } from "./spellings.ts";

/** How many words on each side tell a word's part of speech. */
const reach = 3;
const mostTagged = 12;

/** The words of no name that are neither in the text nor in the question. Those of names are the names' affair. */
export function findNovelWords({ names, statements }: Answer): readonly Statement[] {
  const unsure = new Set(names.flatMap(({ from, isSure }) => (isSure ? [] : [from])));
  return statements.filter(
    ({ word, at, isInPassage, isAsked }) =>
      !isInPassage &&
      !isAsked &&
      (!word.isCapital || unsure.has(at)) &&
      !word.isNumber &&
      !isOmissible(word) &&
      word.norm.length > 1,
  );
}

/** The part of speech of the first words, told by the few words around each: whole sentences would cost several times as much. */
export function tagWords({ text, words }: Answer, statements: readonly Statement[]): ReadonlyMap<number, Speech> {
  const speech = new Map<number, Speech>();
  for (const { word, at } of statements.slice(0, mostTagged)) {
    if (speech.has(word.start)) continue;
    const near = words
      .slice(Math.max(0, at - reach), at + reach + 1)
      .filter(({ sentence }) => sentence === word.sentence);
    const start = near[0]?.start ?? word.start;
    const tagged = tagSpeech(text.text.slice(start, near.at(-1)?.end ?? word.end));
    speech.set(word.start, tagged.get(word.start - start) ?? "other");
  }
  return speech;
}

/** Whether the text or the question speaks of the same in another part of speech: "pianist", where the text has a piano. */
export function speaksOfKnown({ evidence, question }: Context, word: Word): boolean {
  const lead = rootOf(leadStem(word.root));
  if (evidence.roots.has(lead) || isDerived(word.norm, findStarts(evidence.passage))) return true;
  if (question.words.some(({ norm }) => isDerived(word.norm, new Map([[startOf(norm), [norm]]])))) return true;
  const own = relationsOf(word.root).union(relationsOf(lead));
  if (own.size === 0) return false;
  const isSame = (root: string): boolean => !relationsOf(root).isDisjointFrom(own);
  return [...evidence.roots].some(isSame) || question.words.some(({ root }) => isSame(root));
}

/** So many letters two words must share at least to come from one. */
const fewestShared = 4;
/** Of words that begin alike, so many are compared. */
const mostAlike = 40;

const endings: ReadonlySet<string> = new Set(
  " s a o e y ed er es ers ist ists ism ian ans an ion ions ing ings ic ics ical al ally ary or ors ry ity ive ment ness ous ency ance ence ant ent ation ations ate ated iser izer esizer".split(
    " ",
  ),
);

const findStarts = remember(({ sentences }: Passage): ReadonlyMap<string, readonly string[]> => {
  const starts = new Map<string, string[]>();
  for (const words of sentences.values()) {
    for (const { norm } of words) {
      const alike = starts.get(startOf(norm));
      if (alike === undefined) starts.set(startOf(norm), [norm]);
      else if (alike.length < mostAlike && !alike.includes(norm)) alike.push(norm);
    }
  }
  return starts;
});

function startOf(norm: string): string {
  return norm.slice(0, fewestShared);
}

/** "Incorporation", where there is "incorporated". */
function isDerived(norm: string, starts: ReadonlyMap<string, readonly string[]>): boolean {
  return (starts.get(startOf(norm)) ?? []).some((other) => {
    let same = fewestShared;
    while (same < norm.length && norm.charAt(same) === other.charAt(same)) same += 1;
    return endings.has(norm.slice(same)) && endings.has(other.slice(same));
  });
}
