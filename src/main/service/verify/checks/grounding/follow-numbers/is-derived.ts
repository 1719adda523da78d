import type { NumberMention } from "../../../text/index.ts";
import { isYear } from "../numbers.ts";

const differs =
  /\b(older|younger|later|earlier|after|before|apart|difference|age|aged|old|years?|lasted|more|less|fewer|total|combined|altogether|sum|gap|longer|shorter|taller|higher|lower|larger|smaller|between|span|spanned|period|duration)\b/i;
const mostPairs = 60;

/** Whether a number is the difference or the sum of two others, and the response speaks of one. */
export function isDerived(text: string, said: NumberMention, known: readonly NumberMention[]): boolean {
  if (known.length < 2 || known.length > mostPairs) return false;
  if (isYear(said)) return isYearByLength(said, known);
  if (!differs.test(text.slice(Math.max(0, said.start - 60), said.end + 40))) return false;
  for (const a of known) {
    for (const b of known) {
      if (a === b || a.kind !== "cardinal" || b.kind !== "cardinal" || isYear(a) !== isYear(b)) continue;
      const gap = a.value - b.value;
      if (
        gap === said.value ||
        (isYear(a) && gap - 1 === said.value) ||
        (!isYear(a) && a.value + b.value === said.value)
      )
        return true;
    }
  }
  return false;
}

/** "It began in 1884", where the text has a war of three years that ended in 1887. */
function isYearByLength(said: NumberMention, known: readonly NumberMention[]): boolean {
  const lengths = known.filter(({ unit }) => unit?.unit.name === "yr");
  return lengths.some((length) =>
    known.some((year) => isYear(year) && Math.abs(year.value - said.value) === length.value),
  );
}
