import type { TextSpan } from "#contract";
import { isNeutralWord, kindsOf, type Name, rootOf, type Word } from "../../text/index.ts";
import { compareAmounts } from "./compare-amounts.ts";
import { compareDates } from "./compare-dates.ts";
import type { Context } from "./context.ts";
import { directionOf, findDirection } from "./directions.ts";
import { type Evidence, sentenceSpan } from "./evidence.ts";
import { findWholeName, findWiderName, type Mention } from "./find-whole-name.ts";
import { distinctKeys, type Options } from "./question-options.ts";
import { findSection, hasKey, type Section } from "./sections.ts";

/** Which of two the passage speaks for, and why. */
export interface Decision {
  /** Null where both are the same. */
  readonly winner: 0 | 1 | null;
  readonly reason: string;
  readonly evidence: readonly TextSpan[];
  /** The years between the two; null where they are not told apart by years. */
  readonly years: number | null;
}

/** One of two that are compared, with what the passage says of it. */
export interface Compared {
  /** As the question has it. */
  readonly text: string;
  /** What tells it from the other. */
  readonly keys: ReadonlySet<string>;
  readonly section: Section;
  /** What the passage says of the other. */
  readonly other: Section;
  readonly whole: readonly Mention[];
}

/** Which of the options of a question the passage supports; null where it doesn't tell. */
export function compareOptions(context: Context): Decision | null {
  const { question } = context;
  if (question.options === null) return null;
  const pair = readPair(context, question.options);
  if (question.options.some(({ isSure }, index) => !isSure && pair[index]?.whole.length === 0)) return null;
  const found = findDirection(question.words);
  if (found === null) return compareFacts(context, pair);
  const isByDate = found.direction === "earliest" || found.direction === "latest";
  return compareBy(context, pair, found) ?? (isByDate ? null : compareFacts(context, pair));
}

/** What the passage says of two that a question names. */
export function readPair(context: Context, [left, right]: Options): readonly [Compared, Compared] {
  const { question, evidence, reading } = context;
  const read = (name: Name, other: Name): Omit<Compared, "other"> => {
    const keys = distinctKeys(question.all, name, other);
    const text = reading.prompt.text.slice(question.all[name.from]?.start ?? 0, question.all[name.to - 1]?.end ?? 0);
    const words = question.all.slice(name.from, name.to);
    const exact = findWholeName(evidence, words);
    const whole = exact.length > 0 ? exact : findWiderName(evidence, words);
    return { keys, text, whole, section: findSection(evidence, keys, distinctKeys(question.all, other, name)) };
  };
  const [a, b] = [read(left, right), read(right, left)];
  return [
    { ...a, other: b.section },
    { ...b, other: a.section },
  ];
}

/** Which of two is first or last, more or less, as a question's comparing word asks. */
export function compareBy(
  context: Context,
  pair: readonly [Compared, Compared],
  { at, direction }: NonNullable<ReturnType<typeof findDirection>>,
): Decision | null {
  const { words } = context.question;
  return direction === "earliest" || direction === "latest"
    ? compareDates(context, pair, words, direction)
    : compareAmounts(context, pair, words, at, direction);
}

/** What the question says of the one it asks for: the passage has it of one option and not of the other. */
function compareFacts(context: Context, pair: readonly [Compared, Compared]): Decision | null {
  const { question, evidence } = context;
  let balance = 0;
  const facts: Word[] = [];
  for (const word of question.words) {
    if (isNeutralWord(word.norm) || directionOf(word.norm) !== undefined || pair.some(({ keys }) => keys.has(word.key)))
      continue;
    const [inLeft, inRight] = pair.map(({ section }) => tells(evidence, section, word.key));
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
    reason: `${context.subject} has this (${shown}) of ${pair[winner].text}, not of ${pair[winner === 0 ? 1 : 0].text}.`,
    evidence: at === undefined ? [] : [sentenceSpan(evidence, at)],
    years: null,
  };
}

/** Whether a section has a key or something that is a kind of it. */
export function tells(evidence: Evidence, section: Section, key: string): boolean {
  if (hasKey(evidence, section, key)) return true;
  const root = rootOf(key);
  for (const sentence of section.sentences) {
    const words = evidence.sentences.get(sentence) ?? [];
    if (words.some((word) => word.root === root || kindsOf(word.key).includes(key))) return true;
  }
  return false;
}
