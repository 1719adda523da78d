import { isNeutralWord, type Name, type Word } from "../../text/index.ts";
import { directionOf } from "./directions.ts";

/** Two things that a question names. */
export type Options = readonly [Name, Name];

const asks = new Set(["which", "who", "whom", "whose", "what", "where"]);

/**
 * Whether a question asks for one of some things that it says itself: "Who is older, Ann or her sister?",
 * "Ann and Bo, which of them died first?".
 */
export function asksForOne(text: string, words: readonly Word[]): boolean {
  const at = words.findIndex(({ norm }) => asks.has(norm));
  if (at === -1) return false;
  const or = words.findLastIndex((word) => isOr(text, word));
  if (or > at && (comesAfterComma(text, words, at, or) || compares(words))) return true;
  return or !== -1 && isListed(text, words, at);
}

/** "Which came first, the mill or the bridge?": what stands before "or" is set off from the asking. */
function comesAfterComma(text: string, words: readonly Word[], at: number, or: number): boolean {
  return /[,:;–—]/.test(text.slice(words[at]?.end ?? 0, words[or]?.start ?? 0));
}

/** "Of Ann and Bo, who …", "Ann and Bo: which of them …": the asking comes after what it is asked of. */
function isListed(text: string, words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.norm === "but" ? words[at - 2] : words[at - 1];
  return before !== undefined && /[,:;–—]/.test(text.slice(before.end, words[at]?.start ?? 0)) && compares(words);
}

/** Whether a question speaks of a comparison, or of one of some. */
function compares(words: readonly Word[]): boolean {
  return words.some(
    ({ norm }, at) =>
      (directionOf(norm) !== undefined && !/^(before|after|prior)$/.test(norm)) ||
      (norm === "which" && /^(one|of)$/.test(words[at + 1]?.norm ?? "")),
  );
}

/** "A or B": the names on both sides of the last "or"; where something stands between, the first name before it. */
export function findOptions(
  text: string,
  all: readonly Word[],
  names: readonly Name[],
  words: readonly Word[],
): Options | null {
  const or = words.findLast((word) => isOr(text, word)) ?? findAnd(text, words);
  if (!or) return null;
  const right = names.find(({ from }) => (all[from]?.start ?? 0) > or.end);
  const before = names.filter(({ to }) => (all[to - 1]?.end ?? 0) <= or.start);
  if (!right || before.length === 0 || !isNear(text.slice(or.end, all[right.from]?.start ?? 0))) return null;
  const adjacent = before.at(-1);
  const left =
    adjacent &&
    isNearBefore(
      text.slice(all[adjacent.to - 1]?.end ?? 0, or.start),
      text.slice(all[right.to - 1]?.end ?? 0).slice(0, 2),
    )
      ? adjacent
      : firstOption(text, all, before);
  return left ? [left, right] : null;
}

/** In words. */
const longestOption = 4;

/**
 * "Quito or guayaquil", "the Polar 240 or the 310", "the house in Elm Road or the one in Mill Lane": the words beside "or" where
 * they are no names as the question writes them. Whether the text has them as names is for the reader of the text to say.
 */
export function findLooseOptions(text: string, all: readonly Word[], words: readonly Word[]): Options | null {
  const or = words.findLastIndex((word) => isOr(text, word));
  if (or < 1 || !asksForOne(text, words)) return null;
  const left = readLoose(text, words, or - 1, -1);
  const right = readLoose(text, words, skipArticle(words, or + 1), 1);
  return left && right ? [findIn(all, words, left), findIn(all, words, right)] : null;
}

/** By the places among all words: those that ask need not stand together. */
function findIn(all: readonly Word[], words: readonly Word[], { from, to }: Omit<Name, "isSure">): Name {
  const start = words[from];
  const at = start ? all.indexOf(start) : from;
  return { from: at, to: at + to - from, isSure: false };
}

/** Past "the", and past "the one in". */
function skipArticle(words: readonly Word[], at: number): number {
  const first = /^(the|a|an)$/.test(words[at]?.norm ?? "") ? at + 1 : at;
  return words[first]?.norm === "one" && words[first + 1]?.isFunction === true ? first + 2 : first;
}

/** The words from a place on, in one direction, up to a small word or a mark. */
function readLoose(text: string, words: readonly Word[], start: number, step: 1 | -1): Omit<Name, "isSure"> | null {
  let at = start;
  for (let word = words[at]; word && !word.isFunction; word = words[at]) {
    if (Math.abs(at - start) === longestOption) return null;
    at += step;
    const next = words[at];
    // "Who died first ann moss or …": what compares is no part of a name.
    if (step === -1 && next && directionOf(next.norm) !== undefined) break;
    const [a, b] = step === 1 ? [word, next] : [next, word];
    if (!a || !b || text.slice(a.end, b.start).trim() !== "") break;
  }
  const [from, to] = step === 1 ? [start, at] : [at + 1, start + 1];
  return to > from ? { from, to } : null;
}

/** The "and" of "between A and B", of "A and B …, but which one", and of "A and B, who …". */
function findAnd(text: string, words: readonly Word[]): Word | undefined {
  const norms = words.map(({ norm }) => norm);
  const asksOne = norms.some((norm, at) => norm === "which" && (norms[at + 1] === "one" || norms[at + 1] === "of"));
  const at = norms.findIndex((norm) => asks.has(norm));
  const and = words.findIndex(({ norm }) => norm === "and");
  if (and !== -1 && at > and && isListed(text, words, at)) return words[and];
  // A connection, a war and a difference are between two as well, and are none of the two.
  const isBetween = norms.some(
    (norm, at) =>
      norm === "between" &&
      (at === 0 || asks.has(norms[at - 1] ?? "") || compares(words)) &&
      !/^(connection|relation|relationship|difference|war|match|game|border|agreement|link|distance|time|years?)$/.test(
        norms[at - 1] ?? "",
      ),
  );
  return asksOne || isBetween ? words[and] : undefined;
}

/** "A or B", not the "Or" of "Sde-Or". */
function isOr(text: string, { norm, start, end }: Word): boolean {
  return norm === "or" && /[\s,]/.test(text.charAt(start - 1)) && /[\s,]/.test(text.charAt(end));
}

/** In characters: what is wider is no gap between two that are offered. */
const widestGap = 60;

function isNear(gap: string): boolean {
  if (gap.length > widestGap) return false;
  return /^[\s,"“”'’()]*(the|a|an|by|in|by the|in the|(those|that|the ones?) (of|in|at|from))?[\s"“”'’()]*$/i.test(gap);
}

/** "Tunnel's or Leaf": a name that ends like a possessive; not "Ann's or Bo's work", which is of neither. */
function isNearBefore(gap: string, after: string): boolean {
  return isNear(gap) || (/^['’]s\s*$/.test(gap) && !/^['’]/.test(after));
}

/** In "Which was first, Hole, the band of Courtney Love, or …?" the option follows a comma. */
function firstOption(text: string, all: readonly Word[], names: readonly Name[]): Name | undefined {
  return names.find(({ from }) => /[,:]\s*(the\s+)?["“]?$/i.test(text.slice(0, all[from]?.start ?? 0).slice(-12)));
}

/** The words that tell each of two options from the other. */
export function keysOfOptions(
  words: readonly Word[],
  [left, right]: readonly [Name, Name],
): readonly [ReadonlySet<string>, ReadonlySet<string>] {
  return [distinctKeys(words, left, right), distinctKeys(words, right, left)];
}

/** The words of a name that tell it from the other; only the number of "the Polar 240 or the 310". */
export function distinctKeys(words: readonly Word[], name: Name, other: Name): ReadonlySet<string> {
  const [owns, others] = [words.slice(name.from, name.to), words.slice(other.from, other.to)];
  const shared = new Set(others.map(({ key }) => key));
  const isByNumber = others.every(({ isNumber }) => isNumber) && owns.some(({ isNumber }) => isNumber);
  const own = owns.filter(
    ({ key, norm, isNumber }) => !shared.has(key) && !isNeutralWord(norm) && (isNumber || !isByNumber),
  );
  const kept = own.length > 0 ? own : owns.filter(({ isFunction }) => !isFunction);
  return new Set(kept.map(({ key }) => key));
}
