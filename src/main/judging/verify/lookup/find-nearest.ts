import type { DifferingWord, NearestPassage } from "#contract";
import { isGrammar, isNegationWord } from "../text/language.ts";
import type { Word } from "../text/words.ts";
import type { Text } from "../types.ts";
import type { Passages } from "./index-passages.ts";
import { spanOf } from "./lookup.ts";
import type { Statement } from "./read-statements.ts";
import { isQualifier } from "./supports.ts";

const kinds = ["number", "name", "negation", "comparison", "word"] as const;
/** Of each of the two sentences. */
const mostDiffering = 30;

/** The passage that shares most with a statement, rare words before frequent ones; null where none shares a word. */
export function findNearest(
  { text, all, byKey }: Passages,
  response: Text,
  statement: Statement,
): NearestPassage | null {
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
  const lacking = listLacking(response, statement.words, [...passage.words, ...passage.inherited], statement);
  const more = listLacking(text, passage.words, statement.words, statement).filter(({ end }) => end <= span.end);
  return { span, differing: [...lacking, ...more] };
}

/** The words of one sentence that the other one lacks: those that change most first. */
function listLacking(
  { source, text }: Text,
  words: readonly Word[],
  others: readonly Word[],
  { language }: Statement,
): DifferingWord[] {
  const known = new Set(others.map(({ key }) => key));
  const lacking = words.flatMap((word): DifferingWord[] => {
    if (known.has(word.key)) return [];
    const kind = kindOf(word);
    if (kind === "word" && isGrammar(word, language)) return [];
    const { start, end } = word;
    return [{ source, start, end, text: text.slice(start, end), kind }];
  });
  return lacking.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)).slice(0, mostDiffering);

  function kindOf(word: Word): DifferingWord["kind"] {
    if (word.isNumber) return "number";
    if (isNegationWord(word, language ?? "en")) return "negation";
    if (word.isCapital && !word.isFirst && language !== "de") return "name";
    return isQualifier(word.norm) ? "comparison" : "word";
  }
}
