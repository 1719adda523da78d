import type { Word } from "../../text/index.ts";
import { readSection } from "./compare-dates.ts";
import type { Compared, Decision } from "./compare-options.ts";
import type { Context } from "./context.ts";
import type { Direction } from "./directions.ts";
import { type Evidence, sentenceSpan } from "./evidence.ts";
import type { Moment } from "./moments.ts";

/** In words, between a beginning and its end: "from 1810 and lasted until 1813". */
const farthestEnd = 6;

/** Which of two lived, existed or ran longer, by the years of their beginnings and ends. */
export function compareSpans(
  context: Context,
  pair: readonly [Compared, Compared],
  words: readonly Word[],
  direction: Direction,
): Decision | null {
  const isLife = words.some(({ norm }) => /^(live|lived|lives|alive|life)$/.test(norm));
  const [a, b] = pair.map((one) => findSpan(context.evidence, readSection(context.evidence, one), isLife));
  if (!a || !b) return null;
  const [left, right] = [a[1].year - a[0].year, b[1].year - b[0].year];
  // Birthdays and months may make a difference of one year more or less.
  if (Math.abs(left - right) < 2) return null;
  const say = ([from, to]: Span, { text }: Compared): string => `${from.year}–${to.year} for ${text}`;
  return {
    winner: left > right === (direction === "most") ? 0 : 1,
    reason: `${context.subject} gives ${say(a, pair[0])} and ${say(b, pair[1])}.`,
    evidence: [sentenceSpan(context.evidence, a[0].at), sentenceSpan(context.evidence, b[0].at)],
    years: null,
  };
}

type Span = readonly [Moment, Moment];

function findSpan(evidence: Evidence, moments: readonly Moment[], isLife: boolean): Span | null {
  if (isLife) {
    const birth = moments.find(({ of }) => of === "birth");
    const death = moments.find(({ of }) => of === "death");
    if (birth && death) return [birth, death];
  }
  for (const [index, from] of moments.entries()) {
    const following = moments.slice(index + 1, index + 1 + farthestEnd);
    const to = following.find(({ at }) => at > from.at && at - from.at <= farthestEnd);
    if (to && to.year > from.year && (isLife || from.of === "event") && areSpan(evidence, from, to)) return [from, to];
  }
  return null;
}

/** "1844–1846", "from 1810 to 1813", "in 1810 and lasted until 1813". */
function areSpan({ words, source }: Evidence, from: Moment, to: Moment): boolean {
  if (from.isCentury || to.isCentury) return false;
  const between = words.slice(from.at + 1, to.at);
  if (between.some(({ norm }) => /^(to|until|till|through)$/.test(norm))) return true;
  return /^\s*[–—-]\s*$/.test(source.text.text.slice(words[from.at]?.end ?? 0, words[to.at]?.start ?? 0));
}
