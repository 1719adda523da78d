import { remember } from "../../remember.ts";
import { isDemonym, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { isAlias } from "./aliases.ts";
import { findAskedDeed, findAskedThing } from "./asked-deed.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, positionsOf, sentenceSpan } from "./evidence.ts";
import { type Agency, deedOf, isPast, readAgencies } from "./facts.ts";
import { freshNames } from "./fresh-name.ts";
import { isExtractive } from "./is-extractive.ts";
import { type Passage, rememberWithin } from "./passage.ts";
import type { Question } from "./question.ts";

/** So many deeds of a response are held against so many of the passage that are the same. */
const mostSaid = 100;
const mostTold = 300;
/** Of a name that stands everywhere, so many places are looked at. */
const mostPlaces = 40;

/** The words of the response that name who did it: `[from, to)`. */
type Agent = Pick<Agency, "from" | "to">;

/** Of several who did the same, one after the other, one is asked for: the deed alone doesn't tell which. */
const orders = new Set(
  "before after previous previously former formerly first second third next last later earlier original originally new successor predecessor besides other another else together alongside".split(
    " ",
  ),
);

const pronouns = new Set(["it", "he", "she", "they", "this", "its"]);

/** What the passage says of who did what. */
interface Deeds {
  readonly all: readonly Agency[];
  readonly byDeed: ReadonlyMap<string, readonly Agency[]>;
}

/** The same, with what response and question speak of. */
interface Facts extends Deeds {
  readonly mentioned: ReadonlySet<string>;
}

/** Who does what in a passage. */
export const agenciesOf = rememberWithin((_, words) => readAgencies(words));

const deedsOf = remember((passage: Passage): Deeds => {
  const all = agenciesOf(passage);
  return { all, byDeed: Map.groupBy(all, ({ deed }) => deed) };
});

/** Who did something has to be who did it in the passage: neither somebody else that it mentions, nor the one it was done to. */
export function checkAgents(context: Context): readonly Finding[] {
  const { answer, evidence } = context;
  const told = deedsOf(evidence.passage);
  if (told.all.length === 0) return [];
  const facts = { ...told, mentioned: findMentioned(context) };
  const findings = readAgencies(answer.words)
    .slice(0, mostSaid)
    .flatMap((said) => checkAgent(context, said.deed, said, facts, true) ?? []);
  if (findings.length > 0 || !isExtractive(context)) return findings;
  const agent = findAgent(context);
  if (agent === null) return [];
  // "Who wrote the script?" is told by "with a script by …", too, and better than by who wrote something else.
  const thing = findAskedThing(context.question);
  const deed = thing !== null && facts.byDeed.has(thing) ? thing : findAskedDeed(context.question);
  const finding = deed === null ? null : checkAgent(context, deed, agent, facts, false);
  return finding ? [finding] : [];
}

/** `isSaid`: the response itself has the deed; that of a short answer is the question's. */
function checkAgent(
  context: Context,
  deed: string,
  { from, to }: Agent,
  known: Facts,
  isSaid: boolean,
): Finding | null {
  const { answer, evidence, subject } = context;
  const words = answer.words
    .slice(from, to)
    .filter(
      (word) => word.isCapital && !word.isFunction && !isDemonym(word.norm) && positionsOf(evidence, word).length > 0,
    );
  const told = known.byDeed.get(deed)?.slice(0, mostTold) ?? [];
  const facts = told.filter((fact) => isAbout(context, fact, deed, words, known.mentioned));
  const fact = facts[0];
  if (!fact || words.length === 0 || isOrdered(context.question, deed)) return null;
  // What the question itself brings up is seldom what it asks for.
  if (deed.includes(" ") && words.every(({ key }) => evidence.asked.has(key))) return null;
  const isAgent = words.some((word) => facts.some((other) => names(evidence, other, word)));
  if (isAgent || (!isSaid && isToldElsewhere(context, fact, words, known.mentioned))) return null;
  if (words.some((word) => hasOwnDeed(context, word, deed, known) || isAlias(evidence, word, facts))) return null;
  const range = { start: answer.words[from]?.start ?? 0, end: answer.words[to - 1]?.end ?? 0 };
  const said = quote(answer.text.text.slice(range.start, range.end));
  const [start, end] = fact.from < fact.at ? [fact.from, fact.at + 1] : [fact.at, fact.to];
  const text = evidence.source.text.text.slice(evidence.words[start]?.start ?? 0, evidence.words[end - 1]?.end ?? 0);
  return createFinding("contradicted", range, `${subject} has ${quote(text)}, not ${said}.`, [
    sentenceSpan(evidence, fact.at),
  ]);
}

/** Whether the text has a name for a like deed ("penned by …"), or for a thing that the question or the response speaks of ("the score is by …"). */
function hasOwnDeed({ answer, evidence, question }: Context, word: Word, deed: string, known: Facts): boolean {
  const verbs = [...question.words, ...answer.words].filter((other) => isDeedOf(other, deed));
  const alike = new Set(verbs.map(({ key }) => key));
  return known.all.slice(0, mostTold).some((fact) => {
    const verb = evidence.words[fact.at];
    if (verb === undefined || !names(evidence, fact, word)) return false;
    return alike.has(verb.key) || (!isPast(verb) && known.mentioned.has(verb.key));
  });
}

function isDeedOf(word: Word, deed: string): boolean {
  const own = deedOf(word);
  return deed === own || deed.startsWith(`${own} `);
}

const nearestOrder = 6;

/** Whether the question asks for one of several who did the same after one another. */
function isOrdered({ words }: Question, deed: string): boolean {
  const verb = words.findIndex((word) => isDeedOf(word, deed));
  return words.some(({ norm }, at) => orders.has(norm) && (verb === -1 || Math.abs(at - verb) <= nearestOrder));
}

/** Whether a sentence that names those the response does has more of what it speaks of than the sentence of the fact. */
function isToldElsewhere(
  { evidence }: Context,
  { at }: Agency,
  said: readonly Word[],
  mentioned: ReadonlySet<string>,
): boolean {
  const named = new Set(said.map(({ key }) => key));
  const count = (sentence: number): number => {
    const keys = new Set(
      (evidence.sentences.get(sentence) ?? []).filter(({ isNeutral }) => !isNeutral).map(({ key }) => key),
    );
    return [...keys].filter((key) => mentioned.has(key) && !named.has(key)).length;
  };
  const here = evidence.words[at]?.sentence ?? -1;
  const places = said.flatMap((word) => positionsOf(evidence, word).slice(0, mostPlaces));
  const sentences = new Set(places.map((place) => evidence.words[place]?.sentence ?? -1));
  const told = count(here);
  return [...sentences].some((sentence) => sentence !== here && count(sentence) > told);
}

function names({ words }: Evidence, { from, to }: Agency, { key }: Word): boolean {
  return words.slice(from, to).some((word) => word.key === key);
}

/** Whether the sentence of a fact is about what the question and the response are about; for places and the like, by name. */
function isAbout(
  { evidence }: Context,
  fact: Agency,
  deed: string,
  said: readonly Word[],
  mentioned: ReadonlySet<string>,
): boolean {
  const index = evidence.words[fact.at]?.sentence ?? -1;
  const own = evidence.sentences.get(index) ?? [];
  // "It was opened by …" goes on about what the sentence before is about.
  const goesOn = pronouns.has(own[0]?.norm ?? "") && own[0] !== evidence.words[fact.from];
  const sentence = goesOn ? [...(evidence.sentences.get(index - 1) ?? []), ...own] : own;
  const named = new Set(said.map(({ key }) => key));
  const isLink = deed.includes(" ");
  return sentence.some(
    ({ key, norm, isCapital, isNeutral }) =>
      mentioned.has(key) && !named.has(key) && (isCapital || !isLink) && !isNeutral && deedOf({ norm }) !== deed,
  );
}

/** The keys of what the response states and the question asks. */
function findMentioned({ answer, question }: Context): ReadonlySet<string> {
  return new Set([...answer.statements.map(({ word }) => word.key), ...question.words.map(({ key }) => key)]);
}

/** The name that a short answer gives: the only one, or the last that the question doesn't have. */
function findAgent(context: Context): Agent | null {
  const { answer } = context;
  const fresh = freshNames(context);
  if (fresh.length > 0) return fresh.length === 1 ? (fresh[0] ?? null) : null;
  return answer.names.length === 1 && answer.words.length < 8 ? (answer.names[0] ?? null) : null;
}
