import type { DifferingWord, NearestPassage } from "#contract";
import { whensOf } from "../text/dates.ts";
import { isGrammar, isNegationWord, type Language } from "../text/language.ts";
import { endOfMeasure, measureOf, numbersOf } from "../text/numbers.ts";
import { type Word, wordsOf } from "../text/words.ts";
import type { Range, Text } from "../types.ts";
import { isSameValue, isWhen, saysSomething, type Value } from "./find-detail.ts";
import { type Passages, within, withoutRanges } from "./index-passages.ts";
import { spanOf } from "./lookup.ts";
import type { Statement } from "./read-statements.ts";
import { qualifierGroupOf } from "./supports.ts";

const kinds = ["number", "name", "negation", "comparison", "word"] as const;
/** Of each of the two sentences. */
const mostDiffering = 30;
/** Of each of them, so many values are compared. */
const mostValues = 200;

/** A sentence that is held against another one. */
interface Side {
  readonly text: Text;
  readonly words: readonly Word[];
  /** In the order of the text. */
  readonly values: readonly Value[];
}

/** The passage that shares most with a statement, rare words before frequent ones; null where none shares a word. */
export function findNearest(passages: Passages, response: Text, statement: Statement): NearestPassage | null {
  const { text, all, byKey } = passages;
  const scores = new Map<number, number>();
  for (const key of statement.keys) {
    const places = byKey.get(key) ?? [];
    const weight = Math.log(1 + all.length / Math.max(1, places.length));
    for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weight);
  }
  let best: number | null = null;
  const lengthOf = (index: number) => all[index]?.words.length ?? 0;
  for (const [index, score] of scores) {
    const most = best === null ? 0 : (scores.get(best) ?? 0);
    // Of equals the shorter one: it says less else.
    if (best === null || score > most || (score === most && lengthOf(index) < lengthOf(best))) best = index;
  }
  const passage = best === null ? undefined : all[best];
  if (passage === undefined) return null;
  const span = spanOf(text, passage);
  const own = toSide(response, statement);
  const other = toSide(text, span);
  const inherited = { ...other, words: [...other.words, ...passage.inherited] };
  const { language } = statement;
  return {
    span,
    differing: [
      ...listLacking(own, inherited, passages.scales, language),
      ...listLacking(other, own, passages.scales, language),
    ],
  };
}

function toSide(text: Text, range: Range): Side {
  const inside = <Item extends Range>(items: readonly Item[]) =>
    within(items, range).filter(({ end }) => end <= range.end);
  const whens = inside(whensOf(text));
  const numbers = withoutRanges(inside(numbersOf(text)).filter(saysSomething), whens);
  const values = [...numbers, ...whens].toSorted((a, b) => a.start - b.start).slice(0, mostValues);
  return { text, words: inside(wordsOf(text)), values };
}

/** The values and words of one sentence that the other one lacks: those that change most first. */
function listLacking(
  { text, words, values }: Side,
  other: Side,
  scales: ReadonlySet<number>,
  language: Language | null,
): DifferingWord[] {
  const toDiffering = ({ start, end }: Range, kind: DifferingWord["kind"]): DifferingWord => {
    return { source: text.source, start, end, text: text.text.slice(start, end), kind };
  };
  const ranges = values.map((value) => {
    const same = other.values.find((one) => isSameValue(value, one, scales));
    return { start: value.start, end: endOfValue(value, same), isLacking: same === undefined };
  });
  const lackingValues = ranges.filter(({ isLacking }) => isLacking).map((range) => toDiffering(range, "number"));
  const known = new Set(other.words.map(meaningOf));
  const lackingWords = withoutRanges(words, ranges).flatMap((word): DifferingWord[] => {
    const kind = kindOf(word);
    const isKnown = known.has(meaningOf(word)) || (kind === "word" && isGrammar(word, language));
    return isKnown ? [] : [toDiffering(word, kind)];
  });
  return [...lackingValues, ...lackingWords]
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .slice(0, mostDiffering);

  /** Denials are one meaning, and so are words of one comparison: "at least" and "minimum". */
  function meaningOf(word: Word): string {
    return isNegationWord(word, language ?? "en") ? "not" : (qualifierGroupOf(word.norm) ?? word.key);
  }

  function kindOf(word: Word): DifferingWord["kind"] {
    if (word.isNumber) return "number";
    if (isNegationWord(word, language ?? "en")) return "negation";
    if (word.isCapital && !word.isFirst && language !== "de") return "name";
    return qualifierGroupOf(word.norm) === null ? "word" : "comparison";
  }
}

/** Where a value ends: with its unit where the same value has one, too. */
function endOfValue(value: Value, same: Value | undefined): number {
  if (isWhen(value)) return value.end;
  const hasUnit = same === undefined || (!isWhen(same) && measureOf(same) !== null);
  return hasUnit ? endOfMeasure(value) : value.end;
}
