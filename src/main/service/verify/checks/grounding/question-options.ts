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
  const or = words.findLastIndex(({ norm }) => norm === "or");
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
  const or = words.findLast(({ norm }) => norm === "or") ?? findAnd(text, words);
  if (!or) return null;
  const right = names.find(({ from }) => (all[from]?.start ?? 0) > or.end);
  const before = names.filter(({ to }) => (all[to - 1]?.end ?? 0) <= or.start);
  if (!right || before.length === 0 || !isNear(text.slice(or.end, all[right.from]?.start ?? 0))) return null;
  const adjacent = before.at(-1);
  const left =
    adjacent && isNear(text.slice(all[adjacent.to - 1]?.end ?? 0, or.start))
      ? adjacent
      : firstOption(text, all, before);
  return left ? [left, right] : null;
}

/** The "and" of "between A and B", of "A and B …, but which one", and of "A and B, who …". */
function findAnd(text: string, words: readonly Word[]): Word | undefined {
  const norms = words.map(({ norm }) => norm);
  const asksOne = norms.some((norm, at) => norm === "which" && (norms[at + 1] === "one" || norms[at + 1] === "of"));
  const at = norms.findIndex((norm) => asks.has(norm));
  const and = words.findIndex(({ norm }) => norm === "and");
  if (and !== -1 && at > and && isListed(text, words, at)) return words[and];
  return asksOne || norms.includes("between") ? words[and] : undefined;
}

function isNear(gap: string): boolean {
  return /^[\s,"“”'’()]*(the|a|an|by|in|by the|in the)?[\s"“”'’()]*$/i.test(gap);
}

/** In "Which was first, Hole, the band of Courtney Love, or …?" the option follows a comma. */
function firstOption(text: string, all: readonly Word[], names: readonly Name[]): Name | undefined {
  return names.find(({ from }) => /[,:]\s*(the\s+)?["“]?$/i.test(text.slice(0, all[from]?.start ?? 0).slice(-12)));
}

/** The words of a name that tell it from the other. */
export function distinctKeys(words: readonly Word[], name: Name, other: Name): ReadonlySet<string> {
  const others = new Set(words.slice(other.from, other.to).map(({ key }) => key));
  const own = words.slice(name.from, name.to).filter(({ key, norm }) => !others.has(key) && !isNeutralWord(norm));
  const kept = own.length > 0 ? own : words.slice(name.from, name.to).filter(({ isFunction }) => !isFunction);
  return new Set(kept.map(({ key }) => key));
}
