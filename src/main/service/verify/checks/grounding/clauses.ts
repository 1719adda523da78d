import { isNeutralWord, type Word } from "../../text/index.ts";
import { isPast } from "./facts.ts";

/** A part of a sentence that says one thing. */
export interface Clause {
  /** Of the text's words: `[from, to)`. */
  readonly from: number;
  readonly to: number;
  readonly keys: ReadonlySet<string>;
  readonly isNegated: boolean;
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
  const clauses: Clause[] = [];
  let from = 0;
  for (let at = 1; at <= words.length; at += 1) {
    const [previous, word] = [words[at - 1], words[at]];
    const isEnd = !word || !previous || word.sentence !== previous.sentence || parts(text, previous, word);
    if (!isEnd) continue;
    if (at > from) clauses.push(readClause(words, from, at, clauses.at(-1)));
    from = at;
  }
  return clauses;
}

function parts(text: string, previous: Word, word: Word): boolean {
  if (breaks.has(word.norm) || (previous.norm === "and" && isPast(word) && text.charAt(word.end) !== "-")) return true;
  const gap = text.slice(previous.end, word.start);
  return gap !== " " && (/[;()]|\s[–—-]\s/.test(gap) || (gap.includes(",") && !word.isNumber));
}

function readClause(words: readonly Word[], from: number, to: number, before: Clause | undefined): Clause {
  const keys = new Set<string>();
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const word = words[at];
    if (!word) continue;
    if (isNegation(words, at)) count += 1;
    if (!isNeutralWord(word.norm) || word.isNumber) keys.add(word.key);
  }
  const goesOn = words[from - 1]?.norm === "and" && before?.to === from;
  const inherited = goesOn ? ([...before.keys][0] ?? null) : null;
  return { from, to, keys, isNegated: count % 2 === 1, inherited };
}

/** "Not only" and "no." (number) deny nothing. */
function isNegation(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (!word || !negations.has(word.norm)) return false;
  const next = words[at + 1];
  return !(next?.norm === "only" || (word.norm === "no" && next?.isNumber === true));
}
