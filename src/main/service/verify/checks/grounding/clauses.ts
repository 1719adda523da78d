import type { Word } from "../../text/index.ts";
import { isPast } from "./facts.ts";

/** The words of a clause: `[from, to)` of the text's. */
export interface ClauseRange {
  readonly from: number;
  readonly to: number;
}

/** A part of a sentence that says one thing. */
export interface Clause extends ClauseRange {
  readonly keys: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** Whether it has more than one "not": what it says in all is then hard to tell. */
  readonly isTwiceNegated: boolean;
  /** The keys of what its "not" or "no" stands before: the deed or the thing that is denied. */
  readonly denied: ReadonlySet<string>;
  /** What the clause goes on about without saying it: the first word of the clause before "and". */
  readonly inherited: string | null;
}

const negations = new Set(
  "not never no nor neither none cannot cant isnt arent wasnt werent doesnt dont didnt hasnt havent hadnt wont wouldnt couldnt shouldnt mustnt nobody nothing".split(
    " ",
  ),
);
const breaks = new Set("but while whereas although though however because if unless which who".split(" "));

/** The clauses of a text: its sentences, parted at semicolons, commas, brackets, and at "but" and its like. */
export function readClauses(text: string, words: readonly Word[]): readonly Clause[] {
  const ranges = splitClauses(text, words);
  return ranges.map((_, index) => readClause(words, ranges, index));
}

/** Where the clauses of a text stand. */
export function splitClauses(text: string, words: readonly Word[]): readonly ClauseRange[] {
  const ranges: ClauseRange[] = [];
  let from = 0;
  for (let at = 1; at <= words.length; at += 1) {
    const previous = words[at - 1];
    const word = words[at];
    const isEnd = !word || !previous || word.sentence !== previous.sentence || parts(text, previous, word);
    if (!isEnd) continue;
    if (at > from) ranges.push({ from, to: at });
    from = at;
  }
  return ranges;
}

function parts(text: string, previous: Word, word: Word): boolean {
  if (word.isNeutral && breaks.has(word.norm)) return true;
  if (previous.isFunction && previous.norm === "and" && isPast(word) && text.charAt(word.end) !== "-") return true;
  if (word.start === previous.end + 1 && text.charAt(previous.end) === " ") return false;
  const gap = text.slice(previous.end, word.start);
  return /[;()]|\s[–—-]\s/.test(gap) || (gap.includes(",") && !word.isNumber);
}

/** What one of the clauses of a text says. */
export function readClause(words: readonly Word[], ranges: readonly ClauseRange[], index: number): Clause {
  const { from, to } = ranges[index] ?? { from: 0, to: 0 };
  const keys = new Set<string>();
  const denied = new Set<string>();
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const word = words[at];
    if (!word) continue;
    if (isNegation(words, at)) {
      count += 1;
      const head = findDenied(words, at, to);
      if (head) denied.add(head.key);
    }
    if (states(word)) keys.add(word.key);
  }
  const before = ranges[index - 1];
  const goesOn = words[from - 1]?.norm === "and" && before?.to === from;
  const inherited = goesOn ? (words.slice(before.from, before.to).find(states)?.key ?? null) : null;
  return { from, to, keys, isNegated: count % 2 === 1, isTwiceNegated: count > 1, denied, inherited };
}

function states({ isNeutral, isNumber }: Word): boolean {
  return !isNeutral || isNumber;
}

/** "No. It opened in May": the answer, which denies what was asked, and not what follows. */
function isSetOff(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  return next !== undefined && next.start > (words[at]?.end ?? 0) + 1;
}

function isTitle(words: readonly Word[], at: number): boolean {
  const [first, next] = [words[at], words[at + 1]];
  return first?.norm === "no" && next?.isCapital === true && next.start === first.end + 1;
}

const farthestDenied = 5;

/** What a "not" denies: the first word after it that is none of grammar ("not be disclosed"). */
function findDenied(words: readonly Word[], at: number, to: number): Word | undefined {
  return words.slice(at + 1, Math.min(to, at + farthestDenied)).find(({ isFunction }) => !isFunction);
}

/** "Not only", "no." (number) and the "No" of a name or a title ("Dr. No", "No Time to Die") deny nothing. */
function isNegation(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (!word || !negations.has(word.norm)) return false;
  if (word.norm === "no" && isSetOff(words, at)) return false;
  if (word.isCapital && (!word.isFirst || isTitle(words, at))) return false;
  const next = words[at + 1];
  return !(next?.norm === "only" || (word.norm === "no" && next?.isNumber === true));
}
