import { lazy } from "../../lazy.ts";
import { remember } from "../../remember.ts";
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

/** The dates and durations of a text, and the numbers that they are made of. */
export const readDated: (text: Text) => DatedText = remember((text: Text) => {
  const numbers = numbersOf(text);
  const dates = lazy(() => readDates(text.text, numbers));
  return {
    text,
    numbers,
    get dates() {
      return dates();
    },
    durations: readDurations(numbers),
  };
});

/** A part of a text as evidence. */
export function spanOf({ text: { source, text } }: DatedText, { start, end }: Range) {
  return { source, start, end, text: text.slice(start, end) };
}
