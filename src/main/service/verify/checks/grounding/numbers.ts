import { convert, type NumberMention } from "../../text/index.ts";
import { numbersOf } from "../../text/numbers.ts";
import type { Range, Text } from "../../types.ts";

/** How a number is put: as it is, about, at least, at most. */
export type Manner = "exact" | "about" | "over" | "under";

const closeness = 0.01;
const looseness = 0.1;
const about = /\b(about|around|approximately|approx\.?|roughly|some|circa|c\.|close to|up to)\s*[$€£~]?$/i;
const over = /\b((?:just )?over|more than|at least|exceeding|above|upwards of)\s*[$€£]?$/i;
const under = /\b((?:just )?under|nearly|almost|less than|fewer than|below|at most|no more than)\s*[$€£]?$/i;

/** The numbers in some sentences of a text. */
export function readNumbersIn(text: Text, indexes: readonly number[]): readonly NumberMention[] {
  const ranges = indexes.map((index) => text.sentences[index]).filter((range): range is Range => range !== undefined);
  let at = 0;
  return numbersOf(text).filter(({ start }) => {
    while (at < ranges.length && (ranges[at]?.end ?? 0) <= start) at += 1;
    return start >= (ranges[at]?.start ?? Number.POSITIVE_INFINITY);
  });
}

/** How the text before a number puts it. */
export function readManner(text: string, { start }: Range): Manner {
  const before = text.slice(Math.max(0, start - 24), start);
  if (about.test(before) || before.endsWith("~")) return "about";
  if (over.test(before)) return "over";
  return under.test(before) ? "under" : "exact";
}

/** Whether what a response says of a quantity follows from what a text says of it. */
export function agrees(said: NumberMention, manner: Manner, known: NumberMention): boolean {
  if (said.currency && known.currency && said.currency !== known.currency) return false;
  // A year is no length, weight or price.
  if (isYear(known) && (said.unit !== null || said.currency) && said.unit?.unit.name !== "yr") return false;
  const value = convertTo(known, said);
  if (value === null) return false;
  if (value === said.value) return true;
  const gap = Math.abs(value - said.value);
  const size = Math.abs(value);
  if (manner === "about") return gap <= size * closeness;
  if (manner === "over") return value > said.value && gap <= size * looseness;
  if (manner === "under") return gap <= size * (value < said.value ? looseness : closeness);
  const isConverted = known.unit?.unit.name !== said.unit?.unit.name && known.unit !== null && said.unit !== null;
  return isConverted && gap <= Math.max(said.step / 2, size * closeness);
}

/** The known value in the unit of the said one; null where they measure different things. */
function convertTo(known: NumberMention, said: NumberMention): number | null {
  const [a, b] = [known.unit?.unit, said.unit?.unit];
  if (a && b && a.name !== b.name) return convert(known.value, a, b);
  if (known.isPercent !== said.isPercent && known.value === said.value) return known.value;
  return known.value;
}

/** A number that may be a year. */
export function isYear({ value, step, unit, currency, isPercent, isWord, kind }: NumberMention): boolean {
  return (
    kind === "cardinal" &&
    !isWord &&
    step === 1 &&
    value >= 1000 &&
    value <= 2100 &&
    unit === null &&
    currency === null &&
    !isPercent
  );
}
