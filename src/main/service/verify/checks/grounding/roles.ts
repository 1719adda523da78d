import type { Word } from "../../text/index.ts";

/** Who a text gives a role: "Corvel Ltd (the Supplier)", "the mayor, Ann Lee", "Ann Lee is the mayor". */
export interface Holder {
  /** The key of the role. */
  readonly role: string;
  /** The words of the name: `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Where the role stands. */
  readonly at: number;
  /** Whether the text defines the word so, as contracts do. */
  readonly isDefined: boolean;
}

const others = new Set(
  "mayor president chief captain king queen coach chair chairman head ceo secretary judge bishop pope host wife husband father mother treasurer chancellor architect".split(
    " ",
  ),
);
const formers = new Set("former then ex vice deputy assistant co past future first second last new next".split(" "));

const endings = ["er", "or", "ist", "ian", "ess", "ant", "ee", "lord"];

/** Whether a word says what somebody is: a mayor, a supplier, a violinist. */
export function isRole({ norm, isNumber, isFunction, isNeutral }: Word): boolean {
  if (isNumber || isFunction || isNeutral || norm.length < 4) return others.has(norm);
  return endings.some((ending) => norm.endsWith(ending)) || others.has(norm);
}

/** The roles that a text gives to somebody by name. */
export function readHolders(text: string, words: readonly Word[]): Holder[] {
  const holders: Holder[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const mayHold = words[at + 1]?.isCapital === true || words[at - 1]?.norm === "the";
    const holder = mayHold && isRole(word) ? readHolder(text, words, word, at) : null;
    if (holder) holders.push(holder);
  }
  return holders;
}

function readHolder(text: string, words: readonly Word[], word: Word, at: number): Holder | null {
  const gap = (index: number): string => text.slice(words[index - 1]?.end ?? 0, words[index]?.start ?? text.length);
  const found = (from: number, to: number, isDefined = false): Holder | null =>
    from < to ? { role: word.key, from, to, at, isDefined } : null;
  const isThe = words[at - 1]?.norm === "the";
  if (
    isThe &&
    gap(at - 1)
      .trimStart()
      .startsWith("(") &&
    gap(at + 1).startsWith(")")
  )
    return found(startOfName(words, gap, at - 1), at - 1, true);
  if (word.isCapital && !word.isFirst) return isThe ? readStated(words, gap, word, at, found) : null;
  if (formers.has(words[at - 1]?.norm ?? "")) return null;
  const next = words[at + 1];
  const isBeside = gap(at + 1) === " " || (isThe && gap(at + 1) === ", ");
  if (next?.isCapital === true && isBeside && next.sentence === word.sentence)
    return found(at + 1, endOfName(words, gap, at + 1));
  return isThe ? readStated(words, gap, word, at, found) : null;
}

/** "The mayor is Ann Lee", "Ann Lee is the mayor". */
function readStated(
  words: readonly Word[],
  gap: (index: number) => string,
  { sentence }: Word,
  at: number,
  found: (from: number, to: number) => Holder | null,
): Holder | null {
  const [verb, name] = [words[at + 1], words[at + 2]];
  if (verb && isCopula(verb) && name?.isCapital === true && name.sentence === sentence)
    return found(at + 2, endOfName(words, gap, at + 2));
  const before = words[at - 2];
  if (before && isCopula(before) && before.sentence === sentence) return found(startOfName(words, gap, at - 2), at - 2);
  return null;
}

function isCopula({ norm }: Word): boolean {
  return norm === "is" || norm === "was";
}

function startOfName(words: readonly Word[], gap: (index: number) => string, to: number): number {
  let from = to;
  const sentence = words[to - 1]?.sentence;
  while (
    words[from - 1]?.isCapital === true &&
    words[from - 1]?.sentence === sentence &&
    (from === to || gap(from) === " ")
  )
    from -= 1;
  while (from < to && words[from]?.isFunction === true) from += 1;
  return from;
}

function endOfName(words: readonly Word[], gap: (index: number) => string, from: number): number {
  let to = from + 1;
  while (words[to]?.isCapital === true && gap(to) === " ") to += 1;
  return to;
}
