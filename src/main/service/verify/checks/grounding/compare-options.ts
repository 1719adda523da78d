import type { TextSpan } from "#contract";
import { isNeutralWord, kindsOf, type NumberMention, rootOf, type Word } from "../../text/index.ts";
import type { Context } from "./context.ts";
import { type Evidence, sentenceSpan } from "./evidence.ts";
import { isYear } from "./numbers.ts";
import { distinctKeys } from "./question.ts";
import { findSection, hasKey, type Section } from "./sections.ts";

/** Which of two options the passage speaks for, and why. */
export interface Decision {
  readonly winner: 0 | 1;
  readonly reason: string;
  readonly evidence: readonly TextSpan[];
}

export type Direction = "earliest" | "latest" | "most" | "least";

const directions: ReadonlyMap<string, Direction> = new Map(
  (
    [
      ["earliest", "first earlier earliest older oldest before sooner prior"],
      ["latest", "later latest younger youngest newer newest last after recently"],
      [
        "most",
        "more most larger largest bigger biggest higher highest taller tallest longer longest greater greatest wider heavier",
      ],
      ["least", "fewer fewest less least smaller smallest lower lowest shorter shortest narrower lighter"],
    ] as const
  ).flatMap(([direction, words]) => words.split(" ").map((word): [string, Direction] => [word, direction])),
);

/** The direction of a comparing word; undefined for other words. */
export function directionOf(norm: string): Direction | undefined {
  return directions.get(norm);
}

/** Which of the options of a question the passage supports; null where it doesn't tell. */
export function compareOptions(context: Context): Decision | null {
  const { question, evidence } = context;
  if (question.options === null) return null;
  const [left, right] = question.options;
  const keys = [distinctKeys(question.all, left, right), distinctKeys(question.all, right, left)] as const;
  const sections = [findSection(evidence, keys[0]), findSection(evidence, keys[1])] as const;
  const direction = question.words.map(({ norm }) => directions.get(norm)).find((found) => found !== undefined);
  const compared =
    direction === undefined
      ? null
      : direction === "earliest" || direction === "latest"
        ? compareDates(context, sections, direction)
        : compareAmounts(context, keys, sections, direction);
  return compared ?? compareFacts(context, keys, sections);
}

const mostNumbers = 200;

type Pair<T> = readonly [T, T];

/** A point in time as one number that sorts: year, month, day. */
interface Moment {
  readonly order: number;
  readonly at: number;
}

function compareDates(context: Context, sections: Pair<Section>, direction: "earliest" | "latest"): Decision | null {
  const { evidence, question } = context;
  const asksDeath = question.words.some(({ key }) => key === "die" || key === "di" || key === "death");
  const [a, b] = [findMoment(evidence, sections[0], asksDeath), findMoment(evidence, sections[1], asksDeath)];
  if (a === null || b === null) return compareTenses(context, sections, [a, b], direction);
  if (a.order === b.order) return null;
  const isFirst = a.order < b.order === (direction === "earliest");
  const [named, other] = [optionText(context, 0), optionText(context, 1)];
  const years = [Math.floor(a.order / 10_000), Math.floor(b.order / 10_000)];
  return {
    winner: isFirst ? 0 : 1,
    reason: `${context.subject} gives ${years[0]} for ${named} and ${years[1]} for ${other}.`,
    evidence: [sentenceSpan(evidence, a.at), sentenceSpan(evidence, b.at)],
  };
}

/** Where only one has a date, the one that is told as past came before the one that still is. */
function compareTenses(
  context: Context,
  sections: Pair<Section>,
  moments: Pair<Moment | null>,
  direction: "earliest" | "latest",
): Decision | null {
  const dated = moments[0] ? 0 : moments[1] ? 1 : null;
  const moment = moments[0] ?? moments[1];
  if (dated === null || !moment) return null;
  const isPast = firstVerb(context.evidence, sections[dated]) === "was";
  const isPresent = firstVerb(context.evidence, sections[dated === 0 ? 1 : 0]) === "is";
  if (!isPast || !isPresent) return null;
  const other = dated === 0 ? 1 : 0;
  return {
    winner: direction === "earliest" ? dated : other,
    reason: `${context.subject} has ${optionText(context, dated)} in ${Math.floor(moment.order / 10_000)}, and ${optionText(context, other)} as still there.`,
    evidence: [sentenceSpan(context.evidence, moment.at)],
  };
}

function firstVerb({ sentences }: Evidence, { first }: Section): string | undefined {
  const words = first === null ? [] : (sentences.get(first) ?? []);
  return words.find(({ norm }) => norm === "is" || norm === "was" || norm === "are" || norm === "were")?.norm;
}

/** The first date of a section (the last of its first sentence where a death is asked for). */
function findMoment(evidence: Evidence, { sentences, first }: Section, isLast: boolean): Moment | null {
  const order = [...(first === null ? [] : [first]), ...sentences];
  for (const sentence of order) {
    const moments = readMoments(evidence, sentence);
    const moment = isLast ? (moments[1] ?? null) : (moments[0] ?? null);
    if (moment) return moment;
  }
  return null;
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

function readMoments({ words, sentences }: Evidence, sentence: number): readonly Moment[] {
  const found: Moment[] = [];
  for (const word of sentences.get(sentence) ?? []) {
    if (!/^[12]\d{3}s?$/.test(word.norm)) continue;
    const at = words.indexOf(word);
    const near = words.slice(Math.max(0, at - 2), at).filter((other) => other.sentence === sentence);
    const month = near.map(({ norm }) => months.indexOf(norm.slice(0, 3)) + 1).find((index) => index > 0) ?? 0;
    const day =
      month === 0
        ? 0
        : (near.map(({ norm }) => Number.parseInt(norm, 10)).find((value) => value > 0 && value < 32) ?? 0);
    found.push({ order: Number.parseInt(word.norm, 10) * 10_000 + month * 100 + day, at });
  }
  return found;
}

function compareAmounts(
  context: Context,
  keys: Pair<ReadonlySet<string>>,
  sections: Pair<Section>,
  direction: "most" | "least",
): Decision | null {
  const pair = findBeside(context, keys) ?? findComparable(context, sections);
  if (!pair || pair[0] === pair[1]) return null;
  const isFirst = pair[0] > pair[1] === (direction === "most");
  return {
    winner: isFirst ? 0 : 1,
    reason: `${context.subject} gives ${pair[0].toLocaleString("en")} for ${optionText(context, 0)} and ${pair[1].toLocaleString("en")} for ${optionText(context, 1)}.`,
    evidence: [],
  };
}

/** The first amounts of both sections that count the same. */
function findComparable(context: Context, sections: Pair<Section>): Pair<number> | null {
  const [a, b] = [findAmounts(context, sections[0]), findAmounts(context, sections[1])];
  const pairs = a.flatMap((left) =>
    b.filter(({ unit }) => unit !== "" && unit === left.unit).map((right): Pair<number> => [left.value, right.value]),
  );
  return pairs[0] ?? null;
}

/** "Oslo made 12,400 bicycles and Lima 8,100": in a sentence with both options, the amounts that follow each. */
function findBeside(context: Context, keys: Pair<ReadonlySet<string>>): Pair<number> | null {
  const { evidence, numbers } = context;
  for (const words of evidence.sentences.values()) {
    const starts = keys.map((own) => words.find(({ key, isCapital }) => isCapital && own.has(key))?.start);
    const [a, b] = starts;
    if (a === undefined || b === undefined) continue;
    const end = words.at(-1)?.end ?? 0;
    const amounts = [amountAfter(numbers, a, b > a ? b : end), amountAfter(numbers, b, a > b ? a : end)];
    const [left, right] = amounts;
    if (left !== undefined && right !== undefined) return [left, right];
  }
  return null;
}

function amountAfter(numbers: readonly NumberMention[], start: number, end: number): number | undefined {
  const own = numbers.filter((number) => number.start >= start && number.start < end && number.kind === "cardinal");
  return own.length === 1 && own[0] && !isYear(own[0]) ? own[0].value : undefined;
}

interface Amount {
  readonly value: number;
  readonly unit: string;
}

/** The amounts of a section with what they count: their unit, or the word after them. */
function findAmounts({ numbers, evidence }: Context, { sentences }: Section): readonly Amount[] {
  const { text, sentences: ranges } = evidence.source.text;
  return numbers.slice(0, mostNumbers).flatMap((number) => {
    const sentence = ranges.findIndex(({ start, end }) => number.start >= start && number.start < end);
    if (isYear(number) || number.kind !== "cardinal" || !sentences.has(sentence)) return [];
    const next = /^[\s-]*(\p{L}+)/u.exec(text.slice(number.end, number.end + 24))?.[1] ?? "";
    if (isDayOfMonth(text, number)) return [];
    const unit = number.unit?.unit.name ?? number.currency ?? (number.isPercent ? "%" : next.toLowerCase());
    return [{ value: number.value, unit }];
  });
}

function isDayOfMonth(text: string, { start, end }: NumberMention): boolean {
  const around = `${text.slice(Math.max(0, start - 12), start)}|${text.slice(end, end + 14)}`.toLowerCase();
  return months.some((month) => around.includes(month));
}

/** What the question says of the one it asks for: the passage has it of one option and not of the other. */
function compareFacts(context: Context, keys: Pair<ReadonlySet<string>>, sections: Pair<Section>): Decision | null {
  const { question, evidence } = context;
  let balance = 0;
  const facts: Word[] = [];
  for (const word of question.words) {
    if (isNeutralWord(word.norm) || directions.has(word.norm) || keys[0].has(word.key) || keys[1].has(word.key))
      continue;
    const [inLeft, inRight] = sections.map((section) => tells(evidence, section, word.key));
    if (inLeft === inRight) continue;
    balance += inLeft ? 1 : -1;
    facts.push(word);
  }
  if (balance === 0) return null;
  const winner = balance > 0 ? 0 : 1;
  const shown = facts
    .map(({ raw }) => raw)
    .slice(0, 6)
    .join(", ");
  const at = facts.map(({ key }) => evidence.positions.get(key)?.[0]).find((found) => found !== undefined);
  return {
    winner,
    reason: `${context.subject} has this (${shown}) of ${optionText(context, winner)}, not of ${optionText(context, winner === 0 ? 1 : 0)}.`,
    evidence: at === undefined ? [] : [sentenceSpan(evidence, at)],
  };
}

/** Whether a section has a key or something that is a kind of it. */
export function tells(evidence: Evidence, section: Section, key: string): boolean {
  if (hasKey(evidence, section, key)) return true;
  const root = rootOf(key);
  for (const sentence of section.sentences) {
    const words = evidence.sentences.get(sentence) ?? [];
    if (words.some((word) => rootOf(word.key) === root || kindsOf(word.key).includes(key))) return true;
  }
  return false;
}

/** An option as the question has it. */
function optionText({ question, reading }: Context, index: 0 | 1): string {
  const name = question.options?.[index];
  if (!name) return "";
  return reading.prompt.text.slice(question.all[name.from]?.start ?? 0, question.all[name.to - 1]?.end ?? 0);
}
