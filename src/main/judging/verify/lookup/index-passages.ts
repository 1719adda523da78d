import { memoize } from "../memoize.ts";
import { type When, whensOf } from "../text/dates.ts";
import { type NumberMention, numbersOf } from "../text/numbers.ts";
import { createQuoteFinder, type QuoteFinder } from "../text/quotations.ts";
import { findSubject } from "../text/subject.ts";
import { type Word, wordsOf } from "../text/words.ts";
import type { Range, Text } from "../types.ts";

/** One sentence, list item or table row, with what can be looked up in it. */
export interface Passage extends Range {
  readonly words: readonly Word[];
  /** What it is about where a pronoun opens it: the subject of the passage before. */
  readonly inherited: readonly Word[];
  readonly numbers: readonly NumberMention[];
  readonly whens: readonly When[];
}

export interface Found<Mention> {
  readonly mention: Mention;
  readonly passage: number;
}

/** The passages of a text, indexed so that each detail of a response is one look-up. */
export interface Passages {
  readonly text: Text;
  readonly all: readonly Passage[];
  /** In which passages a word is: by what its forms share, and as it is written. */
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  readonly byNorm: ReadonlyMap<string, readonly number[]>;
  /** Numbers by their value. */
  readonly numbers: ReadonlyMap<number, readonly Found<NumberMention>[]>;
  /** Dates and times by each of their `keysOfWhen`. */
  readonly whens: ReadonlyMap<string, readonly Found<When>[]>;
  readonly quotes: QuoteFinder;
  /** What the source says that its numbers count: 1,000 for "in thousands", "€k". */
  readonly scales: ReadonlySet<number>;
}

/** Of what is everywhere, so many places are indexed: what is asked about it then is bounded. */
const mostPlaces = 300;

/** Reads passages: some sentences of a text, by index. */
export function readPassages(text: Text, indexes: readonly number[]): Passages {
  const all = splitPassages(text, indexes);
  const byKey = new Map<string, number[]>();
  const byNorm = new Map<string, number[]>();
  const numbers = new Map<number, Found<NumberMention>[]>();
  const whens = new Map<string, Found<When>[]>();
  all.forEach((passage, index) => {
    for (const { key, norm } of [...passage.inherited, ...passage.words]) {
      put(byKey, key, index);
      put(byNorm, norm, index);
    }
    for (const mention of passage.numbers) {
      for (const value of valuesOf(mention)) put(numbers, value, { mention, passage: index });
    }
    for (const mention of passage.whens) {
      for (const key of keysOfWhen(mention)) put(whens, key, { mention, passage: index });
    }
  });
  return {
    text,
    all,
    byKey,
    byNorm,
    numbers,
    whens,
    quotes: createQuoteFinder(text),
    scales: readScales(text.text),
  };
}

/** The same, cached: a text has one source, all of a document, and of a prompt what is no question. */
export const indexPassages = memoize(readPassages);

/** The values by which a number is found again, whatever floating point makes of them: each of its readings; "14 thousand" also by 14. */
export function valuesOf({ value, other, scale }: NumberMention): readonly number[] {
  const readings = other === null ? [value] : [value, other];
  const values = scale === 1 ? readings : readings.flatMap((reading) => [reading, reading / scale]);
  return values.map((one) => Number(one.toPrecision(12)));
}

/** What a date or a time is found by: any of its parts that can be asked for alone. */
export function keysOfWhen(when: When): readonly string[] {
  if (when.kind === "time") return when.minutes.map((minutes) => `time ${minutes}`);
  const { year, month, day, isEitherWay } = when;
  const keys: string[] = [];
  if (year !== null) keys.push(`year ${year}`);
  if (month !== null) keys.push(`month ${month}`);
  if (month !== null && day !== null) keys.push(`day ${month} ${day}`);
  if (isEitherWay) keys.push(`month ${day}`, `day ${day} ${month}`);
  return keys;
}

function put<Key, Item>(found: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = found.get(key);
  if (known === undefined) found.set(key, [item]);
  else if (known.length < mostPlaces && known.at(-1) !== item) known.push(item);
}

const countedIn =
  /\b(?:in|en|em|[A-Z]{3}) (?:[$€£] ?)?(thousand|million|billion|tausend|tsd|mio|mrd|millionen|milliarden|milliers|millones|milioni|milhões)s?\b|[$€£](k|m|bn)\b|['’](000)s?\b/giu;

/** The scales that a text names for its numbers. */
function readScales(text: string): ReadonlySet<number> {
  return new Set(
    [...text.matchAll(countedIn)].map(([, word = "", sign = "", zeros]) => {
      if (zeros !== undefined || /^(?:thousand|tausend|tsd|milliers)/i.test(word) || /^k$/i.test(sign)) return 1e3;
      return /^(?:billion|mrd|milliarden)/i.test(word) || /^bn$/i.test(sign) ? 1e9 : 1e6;
    }),
  );
}

function splitPassages(text: Text, indexes: readonly number[]): readonly Passage[] {
  const [words, whens] = [wordsOf(text), whensOf(text)];
  const numbers = withoutRanges(numbersOf(text), whens);
  let subject: readonly Word[] = [];
  return indexes.flatMap((index) => {
    const range = text.sentences[index];
    if (range === undefined) return [];
    const own = within(words, range);
    const { inherited, ...next } = findSubject(own, subject);
    subject = next.subject;
    return [{ ...range, words: own, inherited, numbers: within(numbers, range), whens: within(whens, range) }];
  });
}

/** Those of some mentions in the order of the text that begin within a range. */
export function within<Item extends Range>(items: readonly Item[], { start, end }: Range): readonly Item[] {
  return items.slice(firstFrom(items, start), firstFrom(items, end));
}

/** The index of the first of some ranges in the order of the text that starts at a place or after it. */
export function firstFrom(items: readonly Range[], place: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Those of some mentions in the order of the text that no range overlaps. */
export function withoutRanges<Item extends Range>(items: readonly Item[], ranges: readonly Range[]): readonly Item[] {
  if (ranges.length === 0) return items;
  let next = 0;
  return items.filter(({ start, end }) => {
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (ranges[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
}
