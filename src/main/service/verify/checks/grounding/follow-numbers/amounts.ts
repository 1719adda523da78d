import type { NumberMention } from "../../../text/index.ts";
import type { Evidence } from "../evidence.ts";
import type { Passage } from "../passage.ts";
import { listsOf, mostItems } from "./read-known.ts";

/** "A fifth of it" is 20%, and two thirds are what a third leaves. */
export function isShare(text: string, said: NumberMention, { numbers }: Passage): boolean {
  const isPart =
    said.kind === "ordinal" && /\b(a|an|one)\s$/i.test(text.slice(Math.max(0, said.start - 5), said.start));
  // 0.45 is 45 %.
  const { value, step, unit } = said;
  if (value > 0 && value < 1 && step > 0 && unit === null)
    return numbers.some((number) => number.isPercent && Math.abs(number.value - value * 100) < 1e-9);
  const share = isPart ? 1 / said.value : shareOf(said);
  if (share === null) return false;
  return numbers.some((number) => {
    const other = shareOf(number);
    return other !== null && (Math.abs(other - share) < 0.01 || Math.abs(1 - other - share) < 0.01);
  });
}

function shareOf({ kind, value, isPercent }: NumberMention): number | null {
  if (isPercent) return value / 100;
  return kind === "fraction" && value < 1 ? value : null;
}

const scales: ReadonlyMap<string, number> = new Map([
  ["hundred", 1e2],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
]);

/** "Fourteen and a half thousand", and "2.418" where a dot parts the thousands. */
export function isScaled(text: string, { end, value, step }: NumberMention, { numbers }: Passage): boolean {
  const word = /^[\s-](hundred|thousand|million|billion)\b/i.exec(text.slice(end, end + 10))?.[1];
  const scale = word === undefined ? (step === 0.001 ? 1_000 : 1) : (scales.get(word.toLowerCase()) ?? 1);
  return scale > 1 && numbers.some((number) => Math.abs(number.value - value * scale) < 1e-6 * scale);
}

/** "17,5" for 17.5: both of its numbers. */
export function isDecimalComma(text: string, { start, end }: NumberMention, { numbers }: Passage): boolean {
  const written = /(\d{1,6}),(\d{1,2})(?!\d)/.exec(text.slice(Math.max(0, start - 7), end + 4));
  return written !== null && numbers.some(({ value }) => value === Number(`${written[1]}.${written[2]}`));
}

const mostSiblings = 20;

/** "How many siblings …?" of the third of six children: five. */
export function isOfOthers(
  { value, kind, isPercent, unit }: NumberMention,
  { asked }: Evidence,
  { numbers }: Passage,
): boolean {
  const isAsked = ["siblings", "others", "brothers", "sisters"].some((word) => asked.has(`=${word}`));
  if (!isAsked || kind !== "cardinal" || isPercent || unit !== null || value > mostSiblings) return false;
  return numbers.some((number) => number.value === value + 1);
}

/** Three, where the passage has a row of three. */
export function isCount({ value, unit, currency, isPercent, kind }: NumberMention, passage: Passage): boolean {
  const mayCount = kind === "cardinal" && unit === null && currency === null && !isPercent && value <= mostItems;
  return mayCount && listsOf(passage).has(value);
}

/** "−155 m" for "155 m below", and "km²" for "km2". */
export function isMeasuredOtherwise({ value, step }: NumberMention, { numbers, text }: Passage): boolean {
  if (value < 0)
    return numbers.some((number) => number.value === -value) && /\b(below|minus|under|beneath)\b/i.test(text.text);
  return step < 1 && step > 0 && numbers.some((number) => number.value === value && number.step === step);
}

/** No more payments than of two years of months. */
const mostPayments = 24;

/** "EUR 2,700" for a deposit of two months' rent of EUR 1,350. */
export function isPayments({ value, currency }: NumberMention, { numbers }: Passage): boolean {
  if (currency === null) return false;
  const times = numbers.filter((each) => each.unit?.unit.dimension === "time" && each.value <= mostPayments);
  const sums = new Set(numbers.flatMap((each) => (each.currency === currency ? [each.value] : [])));
  return times.some((time) => time.value > 1 && sums.has(value / time.value));
}
