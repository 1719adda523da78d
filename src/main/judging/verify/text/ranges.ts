import type { NumberMention } from "./numbers.ts";

const joint =
  /^(?:\s*\p{L}{1,20}\.?)?[\s(]*(?:-|–|—|−|~|±|\+\/-|\.{2,3}|…|(?:,? |\()(?:to|or|through|thru|till|until|bis|oder|à|au|ou|a|o|t\/m)(?: (?:maybe|perhaps|even))?(?=\s*$)|至|到|から)\s*$/iu;
const between = /\b(?:between|zwischen|entre|tra|fra)\W{0,3}$/i;
const and = /^(?:\s*\p{L}{1,20}\.?)?\s*\b(?:and|und|et|y|e)\s*$/iu;

/** Whether two numbers that follow one another are the ends of one range: "17–18", "17 km to 18 km", "between 17 and 18". */
export function isRange(text: string, low: NumberMention, high: NumberMention): boolean {
  const gap = text.slice(low.unit?.end ?? low.end, high.start);
  if (gap.length > 40) return false;
  // "17 -18": the dash before the second number was read as its sign.
  const isDash = gap.trim() === "" && /[-−]/.test(text.charAt(high.start));
  const isInterval =
    /^\s?,\s?$/.test(gap) && /[([]/.test(text.charAt(low.start - 1)) && /[)\]]/.test(text.charAt(high.end));
  return (
    isDash ||
    isInterval ||
    joint.test(gap) ||
    (and.test(gap) && between.test(text.slice(Math.max(0, low.start - 12), low.start)))
  );
}
