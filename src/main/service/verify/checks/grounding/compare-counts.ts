import type { NumberMention, Word } from "../../text/index.ts";
import { firstFrom } from "../../text/ranges.ts";
import type { Compared } from "./compare-options.ts";
import type { Context } from "./context.ts";
import type { Evidence } from "./evidence.ts";
import { isYear } from "./numbers.ts";

const mostNumbers = 200;
const mostNouns = 4;
/** In words, between a number and what it counts. */
const reach = 5;

/** What is counted by different words: "population" and "inhabitants". */
const topics: readonly ReadonlySet<string>[] = [
  "population populous inhabitants residents people populated",
  "capacity seats seating spectators holds accommodates",
  "floors floor stories story storeys storey",
  "members member musicians people piece",
  "students student enrollment enrolment enrols enrolls pupils undergraduates",
  "employees employee staff workers employs",
  "pages page",
  "episodes episode parts part instalments installments",
  "seasons season",
  "species",
  "passengers passenger",
  "titles title championships championship",
].map((line) => new Set(line.split(" ")));

/** Bands by their size. */
const groups: ReadonlyMap<string, number> = new Map([
  ["duo", 2],
  ["trio", 3],
  ["quartet", 4],
  ["quintet", 5],
  ["sextet", 6],
  ["septet", 7],
  ["octet", 8],
]);

/** What a question counts: "more national titles than" the words after "more", up to what it is compared with. */
export function findNouns(words: readonly Word[], at: number, pair: readonly [Compared, Compared]): readonly Word[] {
  const nouns: Word[] = [];
  for (const word of words.slice(at + 1, at + 1 + mostNouns)) {
    if (word.isFunction || pair.some(({ keys }) => keys.has(word.key))) break;
    nouns.push(word);
  }
  return nouns;
}

/** How many or much the passage gives for each of two of what some nouns name; null where it doesn't tell of both. */
export function countBoth(
  context: Context,
  pair: readonly [Compared, Compared],
  nouns: readonly Word[],
): readonly [number, number] | null {
  const [a, b] = pair.map((one) => findCounted(context, one, nouns) ?? findByTopic(context, one, nouns));
  return a === null || b === null || a === undefined || b === undefined ? null : [a, b];
}

/** Whether the passage counts for at least one of two. */
export function countsAny(context: Context, pair: readonly [Compared, Compared], nouns: readonly Word[]): boolean {
  return pair.some((one) => findCounted(context, one, nouns) !== null);
}

/** Whether some nouns name what is counted in several words. */
export function hasTopic(nouns: readonly Word[]): boolean {
  return topicOf(nouns) !== undefined;
}

function topicOf(nouns: readonly Word[]): ReadonlySet<string> | undefined {
  return topics.find((topic) => nouns.some(({ norm }) => topic.has(norm)));
}

/** The only number of a section that is followed by all that is counted. */
function findCounted(context: Context, one: Compared, nouns: readonly Word[]): number | null {
  const values = new Set<number>();
  for (const number of countsOf(context, one)) {
    const [from, to] = wordsAfter(context.evidence, number);
    const after = context.evidence.words.slice(from, to);
    if (nouns.every((noun) => after.some((word) => isSame(word, noun)))) values.add(number.value);
  }
  return only(values);
}

/** The same word, or another for it: "titles" and "championships". */
function isSame(word: Word, noun: Word): boolean {
  return word.root === noun.root || topicOf([noun])?.has(word.norm) === true;
}

/** The only number of a section that has a word of the same topic near it: "45,900 inhabitants", "a population of 12,400". */
function findByTopic(context: Context, one: Compared, nouns: readonly Word[]): number | null {
  const topic = topicOf(nouns);
  if (topic === undefined) return null;
  const { words, sentences } = context.evidence;
  const counts = countsOf(context, one).filter(({ unit, currency }) => unit === null && currency === null);
  const after = new Set<number>();
  const before = new Set<number>();
  for (const number of counts) {
    const [from, to] = wordsAfter(context.evidence, number);
    if (words.slice(from, to).some(({ norm }) => topic.has(norm))) after.add(number.value);
    if (wordsBefore(context.evidence, number).some(({ norm }) => topic.has(norm))) before.add(number.value);
  }
  const values = after.size > 0 ? after : before;
  if (values.size > 0 || !topic.has("members")) return only(values);
  const { sentences: own } = one.section;
  const sizes = [...own].flatMap((index) => (sentences.get(index) ?? []).map(({ norm }) => groups.get(norm)));
  return only(new Set(sizes.filter((size) => size !== undefined)));
}

function only(values: ReadonlySet<number>): number | null {
  const [value] = values;
  return values.size === 1 && value !== undefined ? value : null;
}

/** The words after a number in its sentence, up to the next number. */
function wordsAfter({ words }: Evidence, number: NumberMention): readonly [number, number] {
  const from = firstFrom(words, number.end);
  let to = from;
  while (to < from + reach && words[to]?.sentence === words[from - 1]?.sentence && words[to]?.isNumber === false)
    to += 1;
  return [from, to];
}

/** The words before a number in its sentence, from the last number on. */
function wordsBefore({ words }: Evidence, { start }: NumberMention): readonly Word[] {
  const at = firstFrom(words, start);
  const before = words.slice(Math.max(0, at - reach), at).filter(({ sentence }) => sentence === words[at]?.sentence);
  return before.slice(before.findLastIndex(({ isNumber }) => isNumber) + 1);
}

/** The numbers of what a passage says of one, but for years and parts of dates. */
export function countsOf({ numbers, evidence }: Context, { section, other }: Compared): readonly NumberMention[] {
  return numbers.slice(0, mostNumbers).filter((number) => {
    const at = firstFrom(evidence.words, number.start);
    const sentence = evidence.words[at]?.sentence ?? -1;
    if (number.kind !== "cardinal" || isYear(number) || !section.sentences.has(sentence)) return false;
    return !other.sentences.has(sentence);
  });
}
