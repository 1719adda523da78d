import { lazy } from "../../lazy.ts";
import { type DateMention, type DurationMention, readDates, readDurations } from "../../text/dates.ts";
import { type NumberMention, numbersOf } from "../../text/numbers.ts";
import type { Range, Text } from "../../types.ts";

/** What a text says about time, read once; its dates, which take longest, when they are first asked for. */
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
  const dates = lazy(() => readDates(text.text, numbers));
  const dated: DatedText = {
    text,
    numbers,
    get dates() {
      return dates();
    },
    durations: readDurations(numbers),
  };
  known.set(text, dated);
  return dated;
}

/** A part of a text as evidence. */
export function spanOf({ text: { source, text } }: DatedText, { start, end }: Range) {
  return { source, start, end, text: text.slice(start, end) };
}
