import { isCalendarWord, type Word } from "../../../text/index.ts";
import type { Context } from "../context.ts";
import { type Candidate, numberKey, readCandidates } from "./read-candidates.ts";
import { isComparison, isTelling, readWanted } from "./read-wanted.ts";
import { readSigns } from "./signs/read-signs.ts";
import { type Signs, signNames } from "./signs/sign-names.ts";
import { weights } from "./weights.ts";

/** Which of what the passage has the question seems to ask for, beside what the response gives. */
export interface Choice {
  /** How far the response is behind: 0 where it gives what speaks most for itself. */
  readonly margin: number;
  /** What speaks most for itself. */
  readonly best: Candidate;
}

/**
 * Weighs everything in the passage that could be asked for, and says how far behind the response's own names and numbers
 * are. Null where it gives none of them, or where nothing can be told this way.
 */
export function chooseAnswer(context: Context): Choice | null {
  if (isComparison(context.question)) return null;
  const candidates = readCandidates(context.evidence.passage);
  if (candidates.length < 2) return null;
  const named = findNamed(context, candidates);
  if (named.size === 0 || isOtherwiseAnswered(context)) return null;
  const given = candidates.filter((_, index) => named.has(index));
  if (givesOwnNumber(context, given)) return null;
  const scores = readSigns(context, candidates).map(weigh);
  const top = Math.max(...scores);
  const own = Math.max(...scores.filter((_, index) => named.has(index)));
  const best = candidates[scores.indexOf(top)];
  return best ? { margin: top - own, best } : null;
}

/** How much speaks for a candidate. Only differences count. */
function weigh(signs: Signs): number {
  return signNames.reduce((sum, name) => sum + (signs[name] ?? 0) * weights[name], 0);
}

/** A question says too little with one word that the passage doesn't have or that means several ("Who are the parties?"), and what is asked for may have no name: other words of the passage may be it. */
function isOtherwiseAnswered({ question, answer, evidence }: Context): boolean {
  const telling = question.words.filter(isTelling);
  const isPlain =
    telling.some(({ root }) => evidence.roots.has(root)) && !question.words.some(({ norm }) => norm === "are");
  if (telling.length < 2 && !isPlain) return true;
  const fresh = answer.statements.filter(({ isAsked }) => !isAsked);
  const last = fresh.at(-1);
  if (!fresh.some(({ word }) => isNamed(word))) return true;
  const { kind, at } = readWanted(question);
  if (at === -1) return true;
  return (kind === "other" || kind === "body" || kind === "place") && last?.isInPassage === true && !isNamed(last.word);
}

/** Whether the number that was asked for is none of the passage's: it may be counted or worked out. */
function givesOwnNumber({ question, answer }: Context, named: readonly Candidate[]): boolean {
  const { kind } = readWanted(question);
  const isGiven = answer.numbers.some(({ isAsked }) => !isAsked);
  return kind === "number" && isGiven && named.every((candidate) => candidate.kind === "name");
}

function isNamed({ isCapital, isNumber }: Word): boolean {
  return isCapital || isNumber;
}

/** The candidates that the response names, by their indexes. */
function findNamed({ answer, evidence }: Context, candidates: readonly Candidate[]): ReadonlySet<number> {
  const named = new Set<number>();
  const add = (words: readonly Word[]): void => {
    const keys = words.flatMap(({ key, norm, isFunction }) => (isFunction || isCalendarWord(norm) ? [] : [key]));
    if (keys.length === 0) return;
    for (const [index, { forms }] of candidates.entries()) {
      if (forms.some((form) => isSame(form, keys, evidence.asked))) named.add(index);
    }
  };
  const inNames = new Set<number>();
  for (const { from, to } of answer.names) {
    add(answer.words.slice(from, to));
    for (let at = from; at < to; at += 1) inNames.add(at);
  }
  for (const { word, at } of answer.statements) {
    if ((word.isNumber || word.isCapital) && !inNames.has(at)) add([word]);
  }
  for (const key of readNumberKeys(answer)) {
    for (const [index, { kind, forms }] of candidates.entries()) {
      if (kind !== "name" && forms.some((form) => form.has(key))) named.add(index);
    }
  }
  return named;
}

/** The numbers of a response; "eighteen ninety-one" is a year. */
function readNumberKeys({ numbers }: Context["answer"]): readonly string[] {
  return numbers.flatMap(({ mention }, at) => {
    const next = numbers[at + 1]?.mention;
    const isYear = mention.isWord && next?.isWord === true && next.start === mention.end + 1 && mention.value < 100;
    return isYear ? [numberKey(mention), `#${mention.value * 100 + next.value}`] : [numberKey(mention)];
  });
}

/** Whether a name of the response is one of the passage: what the question has already tells nothing, where there is more. */
function isSame(form: ReadonlySet<string>, keys: readonly string[], asked: ReadonlySet<string>): boolean {
  const own = [...form].filter((key) => !asked.has(key));
  if (own.length > 0 && keys.every((key) => asked.has(key))) return false;
  if (keys.every((key) => form.has(key)) || [...form].every((key) => keys.includes(key))) return true;
  return own.length > 0 && own.every((key) => keys.includes(key));
}
