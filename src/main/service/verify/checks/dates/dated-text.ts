import { type DateMention, type DurationMention, readDates, readDurations } from "../../text/dates.ts";
import { type NumberMention, numbersOf } from "../../text/numbers.ts";
import type { Range, Text } from "../../types.ts";

/** What a text says about time, read once. */
export interface DatedText {
  readonly text: Text;
  readonly numbers: readonly NumberMention[];
  readonly dates: readonly DateMention[];
  readonly durations: readonly DurationMention[];
}

const known = new WeakMap<Text, DatedText>();

/** The dates and durations of a text, and the numbers that they are made of. */
export function readDated(text: Text): DatedText {
  const before = known.get(text);
  if (before) return before;
  const numbers = numbersOf(text);
  const dated = { text, numbers, dates: readDates(text.text, numbers), durations: readDurations(numbers) };
  known.set(text, dated);
  return dated;
}

/** Those that lie within a range. Both are in the order of the text. */
export function within<Item extends Range>(items: readonly Item[], { start, end }: Range): readonly Item[] {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  let to = low;
  while ((items[to]?.end ?? Number.POSITIVE_INFINITY) <= end) to += 1;
  return items.slice(low, to);
}

/** A part of a text as evidence. */
export function spanOf({ text: { source, text } }: DatedText, { start, end }: Range) {
  return { source, start, end, text: text.slice(start, end) };
}
