import { convert, type NumberMention, type Word } from "../../text/index.ts";
import { firstFrom } from "../../text/ranges.ts";
import { countBoth, countsAny, countsOf, findNouns, hasTopic } from "./compare-counts.ts";
import type { Compared, Decision } from "./compare-options.ts";
import { compareSpans } from "./compare-spans.ts";
import type { Context } from "./context.ts";
import type { Direction } from "./directions.ts";
import { isYear } from "./numbers.ts";

/** In words, between a number and what it measures. */
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
  ["faster fastest slower slowest", "speed", "speed fast velocity"],
  ["cheaper cheapest expensive costly", "money", "price cost costs priced sold sells"],
];

const nouns = new Set(
  "length duration distance height elevation altitude depth width weight mass area temperature speed price".split(" "),
);

const byAdjective: ReadonlyMap<string, Measure> = new Map(
  measures.flatMap(([adjectives, dimensions, words]) =>
    [...adjectives.split(" "), ...words.split(" ").filter((word) => nouns.has(word))].map(
      (adjective): [string, Measure] => [
        adjective,
        { dimensions: dimensions.split(" "), words: new Set(words.split(" ")) },
      ],
    ),
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
  if (values === null)
    return /^(long|short)/.test(words[at]?.norm ?? "") ? compareSpans(context, pair, words, direction) : null;
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
  const compared = findNouns(words, at, pair);
  // "A larger population" is no larger area.
  if (hasTopic(compared)) return countBoth(context, pair, compared) ?? findBeside(context, pair);
  const measure = byAdjective.get(words[at + 1]?.norm ?? "") ?? byAdjective.get(words[at]?.norm ?? "");
  if (measure) return compareMeasures(context, pair, measure);
  if (compared.length === 0) return findBeside(context, pair);
  const counted = countBoth(context, pair, compared);
  return counted ?? (countsAny(context, pair, compared) ? null : findBeside(context, pair));
}

function compareMeasures(
  context: Context,
  pair: readonly [Compared, Compared],
  measure: Measure,
): readonly [number, number] | null {
  const [a, b] = pair.map((one) => findMeasured(context, one, measure));
  if (!a || !b) return null;
  if (a.currency !== null || b.currency !== null) return a.currency === b.currency ? [a.value, b.value] : null;
  if (!a.unit || !b.unit) return null;
  const value = convert(b.value, b.unit.unit, a.unit.unit);
  return value === null ? null : [a.value, Math.round(value * 1_000) / 1_000];
}

const extremes = /^(maximum|maximal|max|greatest|total|overall|deepest|highest|top)$/;

/** The only amount of a section that may be meant: that beside a word that says so, or that of which nothing else is said. */
function findMeasured(context: Context, one: Compared, { dimensions, words }: Measure): NumberMention | null {
  const { evidence } = context;
  const own = countsOf(context, one).filter(({ unit, currency }) =>
    currency === null ? unit !== null && dimensions.includes(unit.unit.dimension) : dimensions.includes("money"),
  );
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
  return findOnly(kept) ?? findOnly(kept.filter((number) => isExtreme(context, number)));
}

function findOnly(amounts: readonly NumberMention[]): NumberMention | null {
  const [only] = amounts;
  return only && amounts.every(({ value, unit }) => value === only.value && unit?.unit === only.unit?.unit)
    ? only
    : null;
}

/** "A maximum depth of 84 m and an average depth of 40 m". */
function isExtreme({ evidence }: Context, { start }: NumberMention): boolean {
  const at = firstFrom(evidence.words, start);
  return evidence.words.slice(Math.max(0, at - 3), at).some(({ norm }) => extremes.test(norm));
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
