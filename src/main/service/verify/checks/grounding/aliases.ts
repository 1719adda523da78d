import type { Word } from "../../text/index.ts";
import { type Evidence, positionsOf } from "./evidence.ts";
import type { Agency } from "./facts.ts";

/** Of a name that stands everywhere, so many places are looked at. */
const mostPlaces = 40;

/** "Ann Lee (Tenant)", "the Supplier, Corvel Ltd", "the chair is Bo Chen": two names for one. */
const apposes =
  /^[\s"“”']*[(,:–—]?[\s"“”']*((the|a|an|our|is|was|as|called|named|hereinafter|mr|mrs|ms|dr)\.?\s+)*[\s"“”'(]*$/i;
const widestAlias = 40;
const longestName = 8;

export function isAlias(evidence: Evidence, word: Word, facts: readonly Agency[]): boolean {
  const { words, source } = evidence;
  const own = positionsOf(evidence, word).slice(0, mostPlaces);
  const others = facts.flatMap(({ from, to }) =>
    words.slice(from, to).filter(({ isCapital, isFunction }) => isCapital && !isFunction),
  );
  const places = others.slice(0, mostPlaces).flatMap((other) => positionsOf(evidence, other).slice(0, mostPlaces));
  return own.some((a) =>
    places.some((b) => {
      const [first, second] = a < b ? [a, b] : [b, a];
      const start = endOfRun(words, first);
      const gap = source.text.text.slice(words[start - 1]?.end ?? 0, words[startOfRun(words, second)]?.start ?? 0);
      return start <= second && gap.length < widestAlias && apposes.test(gap);
    }),
  );
}

function endOfRun(words: readonly Word[], from: number): number {
  let to = from + 1;
  while (
    to - from < longestName &&
    words[to]?.isCapital === true &&
    (words[to]?.start ?? 0) === (words[to - 1]?.end ?? 0) + 1
  )
    to += 1;
  return to;
}

function startOfRun(words: readonly Word[], at: number): number {
  let from = at;
  while (
    at - from < longestName &&
    words[from - 1]?.isCapital === true &&
    (words[from]?.start ?? 0) === (words[from - 1]?.end ?? 0) + 1
  )
    from -= 1;
  return from;
}
