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
export const readDated: (text: Text) => DatedText = remember((text: Text) => new ReadDatedText(text));

/** A class, because a getter of an object literal would give each a shape of its own. */
class ReadDatedText implements DatedText {
  readonly text: Text;
  readonly numbers: readonly NumberMention[];
  readonly durations: readonly DurationMention[];
  #dates: readonly DateMention[] | undefined;

  constructor(text: Text) {
    this.text = text;
    this.numbers = numbersOf(text);
    this.durations = readDurations(this.numbers);
  }

  get dates() {
    this.#dates ??= readDates(this.text.text, this.numbers);
    return this.#dates;
  }
}

/** A part of a text as evidence. */
export function spanOf({ text: { source, text } }: DatedText, { start, end }: Range) {
  return { source, start, end, text: text.slice(start, end) };
}
