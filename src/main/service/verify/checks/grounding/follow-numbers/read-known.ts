import { type NumberMention, readClockTimes } from "../../../text/index.ts";
import type { Evidence } from "../evidence.ts";
import { isYear } from "../numbers.ts";
import { type Difference, readComputed, readDifferences } from "./differences.ts";

/** What a passage has for numbers that a response puts in another way. */
export interface Known {
  readonly text: string;
  readonly numbers: readonly NumberMention[];
  readonly years: ReadonlySet<number>;
  readonly times: ReturnType<typeof readClockTimes>;
  readonly months: ReadonlySet<number>;
  readonly lists: ReadonlySet<number>;
  /** "6 min 35 s" in minutes. */
  readonly compounds: readonly NumberMention[];
  readonly differences: readonly Difference[];
  readonly computed: ReadonlySet<number>;
}

/** Reads them from the numbers of the passage. */
export function readKnown(evidence: Evidence, numbers: readonly NumberMention[]): Known {
  const { text } = evidence.source.text;
  return {
    text,
    numbers,
    years: new Set([...numbers.filter(isYear).map(({ value }) => value), ...readYearEnds(text, numbers)]),
    times: readClockTimes(text),
    months: readMonths(evidence),
    lists: readLists(evidence),
    compounds: readCompounds(text, numbers),
    differences: readDifferences(text, numbers),
    computed: readComputed(evidence.asked, numbers),
  };
}

/** 1973 of "1970-73" and "1970/73". */
function readYearEnds(text: string, numbers: readonly NumberMention[]): readonly number[] {
  return numbers.flatMap((year) => {
    const end = isYear(year) ? /^[-–—/](\d\d)(?!\d)/.exec(text.slice(year.end, year.end + 4))?.[1] : undefined;
    return end === undefined ? [] : [Math.floor(year.value / 100) * 100 + Number(end)];
  });
}

const months = "january february march april may june july august september october november december".split(" ");

function readMonths({ positions, forms }: Evidence): ReadonlySet<number> {
  const isThere = (name: string): boolean => positions.has(name) || forms.has(name);
  return new Set(months.flatMap((name, at) => (isThere(name) || isThere(name.slice(0, 3)) ? [at + 1] : [])));
}

const longestItem = 5;
const mostItems = 12;

/** How many items the rows of the passage have: 3 for "in 1988, 1990 and 1991". */
function readLists({ sentences, source }: Evidence): ReadonlySet<number> {
  const { text } = source.text;
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
}

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
