import type { Word } from "../text/words.ts";
import type { Passages } from "./index-passages.ts";

/** The passage that speaks of the same things as a claim, and how many of its words it has. */
export interface BestPassage {
  readonly index: number;
  readonly shared: number;
  /** Whether no other passage has as many. */
  readonly isAlone: boolean;
}

/** Of a word that is nearly everywhere, no passage is more likely than another. */
const mostOften = 0.5;
const fewestToTell = 8;

/**
 * The passage that shares most words with a claim. The words that carry grammar break a tie; null where it is a true one, or
 * no word is shared.
 */
export function findBestPassage(
  { all, byKey }: Passages,
  keys: ReadonlySet<string>,
  words: readonly Word[],
): BestPassage | null {
  const counts = new Map<number, number>();
  for (const key of keys) {
    const places = byKey.get(key) ?? [];
    if (all.length >= fewestToTell && places.length > mostOften * all.length) continue;
    for (const passage of places) counts.set(passage, (counts.get(passage) ?? 0) + 1);
  }
  let most = 0;
  for (const count of counts.values()) most = Math.max(most, count);
  if (most === 0) return null;
  const best = [...counts].filter(([, count]) => count === most).map(([index]) => index);
  const index =
    best.length === 1
      ? best[0]
      : breakTie(
          best.map((one) => [one, all[one]?.words ?? []] as const),
          words,
        );
  return index === undefined ? null : { index, shared: most, isAlone: best.length === 1 };
}

function breakTie(equals: readonly (readonly [number, readonly Word[]])[], words: readonly Word[]): number | undefined {
  const grammar = new Set(words.filter(({ isFunction }) => isFunction).map(({ norm }) => norm));
  let best: number | undefined;
  let most = -1;
  let isTie = false;
  for (const [index, there] of equals) {
    const own = new Set(
      there.filter(({ isFunction, norm }) => isFunction && grammar.has(norm)).map(({ norm }) => norm),
    );
    if (own.size > most) [best, most, isTie] = [index, own.size, false];
    else if (own.size === most) isTie = true;
  }
  return isTie ? undefined : best;
}
