import { convert, type NumberMention, type Word } from "../../text/index.ts";
import { firstFrom } from "../../text/ranges.ts";
import type { Compared, Decision } from "./compare-options.ts";
import type { Context } from "./context.ts";
import type { Direction } from "./directions.ts";
import type { Evidence } from "./evidence.ts";
import { isYear } from "./numbers.ts";

const mostNumbers = 200;
const mostNouns = 4;
/** In words, between a number and what it counts, or what it measures. */
const reach = 5;

/** What an adjective compares: the dimensions that it may be of, and the words that tell of them in a text. */
interface Measure {
  readonly dimensions: readonly string[];
  readonly words: ReadonlySet<string>;
}

const measures: readonly (readonly [string, string, string])[] = [
  [
    "longer longest shorter shortest",
    "length time",
    "long length lasts lasted takes takes took duration course distance runs ran",
  ],
  ["higher highest taller tallest lower lowest", "length", "high height tall elevation altitude summit peak above"],
  ["deeper deepest", "length", "deep depth"],
  ["wider widest narrower narrowest", "length", "wide width broad"],
  ["heavier heaviest lighter lightest", "mass", "heavy weight weighs weighing mass"],
  ["larger largest bigger biggest smaller smallest", "area", "area covers covering size large"],
  ["hotter hottest", "temperature", "hot heat temperature"],
];

const byAdjective: ReadonlyMap<string, Measure> = new Map(
  measures.flatMap(([adjectives, dimensions, words]) =>
    adjectives
      .split(" ")
      .map((adjective): [string, Measure] => [
        adjective,
        { dimensions: dimensions.split(" "), words: new Set(words.split(" ")) },
      ]),
  ),
);
const allWords = new Set(measures.flatMap(([, , words]) => words.split(" ")));

/** Which of two is or has more, by the amounts that the passage gives for each. `at` is where the question compares. */
export function compareAmounts(
  context: Context,
  pair: readonly [Compared, Compared],
  words: readonly Word[],
  at: number,
  direction: Direction,
): Decision | null {
  const values = readValues(context, pair, words, at);
  if (values === null) return null;
  const [a, b] = values;
  const isFirst = a > b === (direction === "most");
  return {
    winner: a === b ? null : isFirst ? 0 : 1,
    reason: `${context.subject} gives ${a.toLocaleString("en")} for ${pair[0].text} and ${b.toLocaleString("en")} for ${pair[1].text}.`,
    evidence: [],
    years: null,
  };
}

function readValues(
  context: Context,
  pair: readonly [Compared, Compared],
  words: readonly Word[],
  at: number,
): readonly [number, number] | null {
  const measure = byAdjective.get(words[at]?.norm ?? "");
  if (measure) return compareMeasures(context, pair, measure);
  const nouns = findNouns(words, at, pair);
  const counted = nouns.length === 0 ? null : pair.map((one) => findCounted(context, one, nouns));
  const [a, b] = counted ?? [null, null];
  if (a !== null && a !== undefined && b !== null && b !== undefined) return [a, b];
  return a === null && b === null ? findBeside(context, pair) : null;
}

/** "More major titles than": what is counted, up to what it is compared with. */
function findNouns(words: readonly Word[], at: number, pair: readonly [Compared, Compared]): readonly string[] {
  const nouns: string[] = [];
  for (const word of words.slice(at + 1, at + 1 + mostNouns)) {
    if (word.isFunction || pair.some(({ keys }) => keys.has(word.key))) break;
    nouns.push(word.root);
  }
  return nouns;
}

/** The only number of a section that is followed by all that is counted. */
function findCounted(context: Context, one: Compared, nouns: readonly string[]): number | null {
  const values = new Set<number>();
  for (const number of numbersOf(context, one)) {
    const [from, to] = wordsAfter(context.evidence, number);
    const roots = context.evidence.words.slice(from, to).map(({ root }) => root);
    if (nouns.every((noun) => roots.includes(noun))) values.add(number.value);
  }
  const [only] = values;
  return values.size === 1 && only !== undefined ? only : null;
}

/** The words after a number in its sentence, up to the next number. */
function wordsAfter({ words }: Evidence, number: NumberMention): readonly [number, number] {
  const from = firstFrom(words, number.end);
  let to = from;
  while (to < from + reach && words[to]?.sentence === words[from - 1]?.sentence && words[to]?.isNumber === false)
    to += 1;
  return [from, to];
}

/** The numbers of what a passage says of one, but for years and parts of dates. */
function numbersOf({ numbers, evidence }: Context, { section, other }: Compared): readonly NumberMention[] {
  return numbers.slice(0, mostNumbers).filter((number) => {
    const at = firstFrom(evidence.words, number.start);
    const sentence = evidence.words[at]?.sentence ?? -1;
    if (number.kind !== "cardinal" || isYear(number) || !section.sentences.has(sentence)) return false;
    return !other.sentences.has(sentence);
  });
}

function compareMeasures(
  context: Context,
  pair: readonly [Compared, Compared],
  measure: Measure,
): readonly [number, number] | null {
  const [a, b] = pair.map((one) => findMeasured(context, one, measure));
  if (!a?.unit || !b?.unit) return null;
  const value = convert(b.value, b.unit.unit, a.unit.unit);
  return value === null ? null : [a.value, Math.round(value * 1_000) / 1_000];
}

/** The only amount of a section that may be meant: that beside a word that says so, or that of which nothing else is said. */
function findMeasured(context: Context, one: Compared, { dimensions, words }: Measure): NumberMention | null {
  const { evidence } = context;
  const own = numbersOf(context, one).filter(({ unit }) => unit !== null && dimensions.includes(unit.unit.dimension));
  const besides = own.map((number) => {
    const at = firstFrom(evidence.words, number.start);
    return evidence.words
      .slice(Math.max(0, at - reach), at + reach)
      .filter(({ sentence }) => sentence === evidence.words[at]?.sentence)
      .map(({ norm }) => norm);
  });
  const told = own.filter((_, index) => besides[index]?.some((norm) => words.has(norm)));
  const free = own.filter((_, index) => !besides[index]?.some((norm) => allWords.has(norm)));
  const kept = told.length > 0 ? told : free;
  const [only] = kept;
  return only && kept.every(({ value, unit }) => value === only.value && unit?.unit === only.unit?.unit) ? only : null;
}

/** "Oslo made 12,400 bicycles and Lima 8,100": in a sentence with both, the amounts that follow each. */
function findBeside(
  { evidence, numbers }: Context,
  pair: readonly [Compared, Compared],
): readonly [number, number] | null {
  for (const sentence of pair[0].section.sentences) {
    const words = evidence.sentences.get(sentence) ?? [];
    const [a, b] = pair.map((one) => words.find(({ key, isCapital }) => isCapital && one.keys.has(key))?.start);
    if (a === undefined || b === undefined) continue;
    const end = words.at(-1)?.end ?? 0;
    const [left, right] = [amountAfter(numbers, a, b > a ? b : end), amountAfter(numbers, b, a > b ? a : end)];
    if (left !== undefined && right !== undefined) return [left, right];
  }
  return null;
}

function amountAfter(numbers: readonly NumberMention[], start: number, end: number): number | undefined {
  const own = numbers.filter((number) => number.start >= start && number.start < end && number.kind === "cardinal");
  return own.length === 1 && own[0] && !isYear(own[0]) ? own[0].value : undefined;
}
