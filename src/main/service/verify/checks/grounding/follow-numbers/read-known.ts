import { remember } from "../../../remember.ts";
import { monthNames, type NumberMention, readClockTimes } from "../../../text/index.ts";
import { isYear } from "../numbers.ts";
import type { Passage } from "../passage.ts";

/** The years of a passage. */
export const yearsOf = remember(({ text: { text }, numbers }: Passage): ReadonlySet<number> => {
  return new Set([...numbers.filter(isYear).map(({ value }) => value), ...readYearEnds(text, numbers)]);
});

export const timesOf = remember(({ text }: Passage) => readClockTimes(text.text));

/** 1973 of "1970-73" and "1970/73". */
function readYearEnds(text: string, numbers: readonly NumberMention[]): readonly number[] {
  return numbers.flatMap((year) => {
    const end = isYear(year) ? /^[-–—/](\d\d)(?!\d)/.exec(text.slice(year.end, year.end + 4))?.[1] : undefined;
    return end === undefined ? [] : [Math.floor(year.value / 100) * 100 + Number(end)];
  });
}

/** The months that a passage names, by their numbers. */
export const monthsOf = remember(({ positions, forms }: Passage): ReadonlySet<number> => {
  const isThere = (name: string): boolean => positions.has(name) || forms.has(name);
  return new Set(monthNames.flatMap((name, at) => (isThere(name) || isThere(name.slice(0, 3)) ? [at + 1] : [])));
});

const longestItem = 5;
export const mostItems = 12;

/** How many items the rows of the passage have: 3 for "in 1988, 1990 and 1991". */
export const listsOf = remember(({ sentences, text: { text } }: Passage): ReadonlySet<number> => {
  const sizes = new Set<number>();
  for (const words of sentences.values()) {
    let [items, last] = [1, 0];
    for (let at = 1; at < words.length; at += 1) {
      const [previous, word] = [words[at - 1], words[at]];
      if (!previous || !word) break;
      const isComma = text.slice(previous.end, word.start).includes(",");
      if (at - last > longestItem) [items, last] = [1, at];
      if (word.norm === "and" || word.norm === "or") {
        if (items < mostItems) sizes.add(items + 1);
        [items, last] = [1, at];
      } else if (isComma) [items, last] = [items + 1, at];
    }
  }
  return sizes;
});

export const compoundsOf = remember(({ text, numbers }: Passage) => readCompounds(text.text, numbers));

/** "6 min 35 s" in minutes, "3 hours 30 minutes" in hours. */
export function readCompounds(text: string, numbers: readonly NumberMention[]): readonly NumberMention[] {
  return numbers.flatMap((big, at) => {
    const small = numbers[at + 1];
    const [a, b] = [big.unit?.unit, small?.unit?.unit];
    if (!small || !a || !b || a.dimension !== b.dimension || b.factor >= a.factor) return [];
    if (text.slice(big.unit?.end ?? 0, small.start).trim().length > 3) return [];
    return [{ ...big, value: big.value + (small.value * b.factor) / a.factor, step: 0 }];
  });
}
