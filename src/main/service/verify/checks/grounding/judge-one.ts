import { isDemonym, placeKind, type Word } from "../../text/index.ts";
import { agenciesOf } from "./check-agents.ts";
import { type Context, quote } from "./context.ts";
import { type Evidence, sentenceSpan } from "./evidence.ts";
import { deedOf, isPast } from "./facts.ts";
import { findSection, type Section } from "./sections.ts";
import type { Truth } from "./truth.ts";

/** In words. */
const longestQuestion = 14;
const openingReach = 8;
const farthestDeed = 14;
const farthestCopula = 28;
const farthestPlace = 8;
const longestNature = 5;
/** Of one deed, so many are read. */
const mostAgencies = 40;

const unclear = new Set("and or same both before after than still not first last also ever only once never".split(" "));
const breaks = new Set("that which who whose where when while but whereas before after based not never".split(" "));
/** One lies in the other, or some say the one and some the other. */
const nested = new Set("united-kingdom england scotland wales ireland".split(" ").map((name) => `place:${name}`));

/** The one thing that a question is about. */
interface One {
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  readonly section: Section;
  /** What the question says of it. */
  readonly rest: readonly Word[];
}

/**
 * "Was Salt directed by Ann Lee?", "Is Ann Lee Danish?", "Was she born in Denmark?": whether the passage says just that of
 * the one thing that is asked about, or plainly somebody else, another nation or country. Null where it isn't clear.
 */
export function judgeOne(context: Context): Truth | null {
  const one = findOne(context);
  return one === null ? null : (judgeAgent(context, one) ?? judgeNation(context, one) ?? judgePlace(context, one));
}

function findOne({ question, evidence, reading }: Context): One | null {
  const { words, names, all } = question;
  const [name] = names;
  if (!name || words.length > longestQuestion || !/^(is|was|are|were)$/.test(words[0]?.norm ?? "")) return null;
  const from = words[1]?.norm === "the" ? 2 : 1;
  if (all[name.from] !== words[from]) return null;
  const rest = words.slice(from + name.to - name.from);
  const own = all.slice(name.from, name.to);
  const keys = new Set(own.filter(({ isFunction }) => !isFunction).map(({ key }) => key));
  if (rest.length === 0 || rest.some(({ norm, key }) => unclear.has(norm) || keys.has(key))) return null;
  const section = findSection(evidence, keys);
  if (section.first === null) return null;
  return { text: reading.prompt.text.slice(own[0]?.start ?? 0, own.at(-1)?.end ?? 0), keys, section, rest };
}

/** "… directed by Ann Lee" */
function judgeAgent(context: Context, one: One): Truth | null {
  const { evidence } = context;
  const [asked, by, ...named] = one.rest;
  if (!asked || by?.norm !== "by" || named.length === 0 || !named.every(({ isCapital }) => isCapital)) return null;
  const keys = new Set(named.map(({ key }) => key));
  const told = agenciesOf(evidence.passage)
    .filter(({ deed, from }) => deed === deedOf(asked) && evidence.words[from]?.isCapital === true)
    .slice(0, mostAgencies)
    .filter(({ at }) => isSaidAt(evidence, one, at));
  const [first] = told;
  if (!first) return null;
  const agents = told.flatMap(({ from, to }) => evidence.words.slice(from, to)).filter(({ isCapital }) => isCapital);
  const agentKeys = new Set(agents.map(({ key }) => key));
  const isYes = keys.isSubsetOf(agentKeys);
  if (!isYes && (isSpokenOf(evidence, one, keys) || areTogether(evidence, keys, agentKeys))) return null;
  return toTruth(context, one, isYes, evidence.words.slice(first.from, first.to), first.at);
}

/** "Is Ann Lee Danish?", "Is Ann Lee a Danish director?": by how the passage introduces her. */
function judgeNation(context: Context, one: One): Truth | null {
  const { evidence } = context;
  const [asked, ...others] = one.rest.filter(({ norm }) => norm !== "a" && norm !== "an");
  if (!asked || !isDemonym(asked.norm) || !isCountry(asked) || !isUnqualified(others)) return null;
  const nature = findNature(evidence, one);
  const nations = nature.filter(
    (word, at) => nature.slice(0, at).every(({ isFunction }) => !isFunction) && isDemonym(word.norm),
  );
  const isYes = nations.some(({ key }) => key === asked.key);
  if (isYes && others.length > 0) return null;
  return judgeCountry(context, one, asked, nations, isYes);
}

/** The first words of what the passage says that something is: "Danish film director". */
function findNature({ sentences }: Evidence, { section, keys }: One): readonly Word[] {
  for (const index of section.sentences) {
    const words = sentences.get(index) ?? [];
    const copula = words.findIndex(({ norm }) => /^(is|was|are|were)$/.test(norm));
    const isThere = copula !== -1 && copula <= farthestCopula && opensWith(words, keys);
    if (isThere && /^(a|an|the)$/.test(words[copula + 1]?.norm ?? "")) {
      return words.slice(copula + 2, copula + 2 + longestNature);
    }
  }
  return [];
}

/** "Was Ann Lee born in Denmark?", "Was the mill built in Norway?" */
function judgePlace(context: Context, one: One): Truth | null {
  const { evidence } = context;
  const at = one.rest.findIndex(({ norm }) => norm === "in");
  const [asked, ...more] = one.rest.slice(at + 1).filter(({ norm }) => norm !== "the");
  const [deed] = one.rest;
  if (at !== 1 || !deed || !isDeed(deed) || !asked || more.length > 0 || !isCountry(asked)) return null;
  for (const index of one.section.sentences) {
    const words = evidence.sentences.get(index) ?? [];
    const verb = words.findIndex((word, from) => deedOf(word) === deedOf(deed) && words[from + 1]?.norm === "in");
    if (verb === -1 || !isSaidOf(evidence, one, index, verb)) continue;
    const after = words.slice(verb + 2, verb + 2 + farthestPlace);
    const end = after.findIndex(({ isFunction, norm }) => isFunction && norm !== "the");
    const places = after.slice(0, end === -1 ? after.length : end).filter(isCountry);
    const isYes = places.some(({ key }) => key === asked.key);
    return judgeCountry(context, one, asked, places, isYes);
  }
  return null;
}

function isDeed(word: Word): boolean {
  return isPast(word) || word.norm === "born";
}

function judgeCountry(context: Context, one: One, asked: Word, told: readonly Word[], isYes: boolean): Truth | null {
  const { evidence } = context;
  const [first] = told;
  const isKnown = first !== undefined && told.every((word) => isCountry(word));
  if (!isKnown || nested.has(asked.key)) return null;
  if (!isYes && isSpokenOf(evidence, one, new Set([asked.key]))) return null;
  return toTruth(context, one, isYes, [first], evidence.words.indexOf(first));
}

function toTruth(
  { subject, evidence }: Context,
  { text }: One,
  isYes: boolean,
  told: readonly Word[],
  at: number,
): Truth {
  const said = evidence.source.text.text.slice(told[0]?.start ?? 0, told.at(-1)?.end ?? 0);
  return { isYes, reason: `${subject} has ${quote(said)} for ${text}.`, evidence: [sentenceSpan(evidence, at)] };
}

function isSaidAt(evidence: Evidence, one: One, at: number): boolean {
  const word = evidence.words[at];
  const words = evidence.sentences.get(word?.sentence ?? -1) ?? [];
  return isSaidOf(
    evidence,
    one,
    word?.sentence ?? -1,
    words.findIndex(({ start }) => start === word?.start),
  );
}

/** Whether the deed at a place of a sentence is said of the thing: its sentence opens with it, and no other is between. */
function isSaidOf(evidence: Evidence, { keys, section }: One, index: number, place: number): boolean {
  const words = evidence.sentences.get(index) ?? [];
  if (!section.sentences.has(index) || !isAbout(evidence, keys, index)) return false;
  const own = words.findLastIndex(({ key }, other) => other < place && keys.has(key));
  const between = words.slice(Math.max(0, own) + 1, place);
  return (
    between.length <= farthestDeed &&
    between.every(({ isCapital, norm }) => (!isCapital || isDemonym(norm)) && !breaks.has(norm) && norm !== "of")
  );
}

/** Whether a sentence opens with a name, with a part of it alone, or with a pronoun right after one that does. */
function isAbout({ sentences }: Evidence, keys: ReadonlySet<string>, index: number): boolean {
  const words = sentences.get(index) ?? [];
  if (opensWith(words, keys)) return true;
  const [first, second] = words;
  if (!first || second?.isCapital === true) return false;
  return (
    keys.has(first.key) || (/^(it|he|she|they)$/.test(first.norm) && opensWith(sentences.get(index - 1) ?? [], keys))
  );
}

/** Whether a sentence begins with all words of a name. */
function opensWith(words: readonly Word[], keys: ReadonlySet<string>): boolean {
  return keys.isSubsetOf(new Set(words.slice(0, openingReach).map(({ key }) => key)));
}

/** Whether the sentences about the thing have one of the keys. */
function isSpokenOf({ sentences }: Evidence, { section }: One, keys: ReadonlySet<string>): boolean {
  return [...section.sentences].some((index) => (sentences.get(index) ?? []).some(({ key }) => keys.has(key)));
}

/** Whether a sentence has keys of both: the one may be another name of the other. */
function areTogether({ sentences }: Evidence, some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...sentences.values()].some((words) => {
    const keys = new Set(words.map(({ key }) => key));
    return !keys.isDisjointFrom(some) && !keys.isDisjointFrom(others);
  });
}

function isCountry({ norm, key }: Word): boolean {
  return placeKind(norm, key) === "country";
}

/** "Film director", without a place or a time. */
function isUnqualified(words: readonly Word[]): boolean {
  return words.every(({ isCapital, isFunction, isNumber }) => !isCapital && !isFunction && !isNumber);
}
