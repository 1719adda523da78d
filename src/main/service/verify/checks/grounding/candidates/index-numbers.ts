import { remember } from "../../../remember.ts";
import type { NumberMention } from "../../../text/index.ts";

/** As far as a number's sign and currency stand before its first digit: "US$5". In characters. */
const longestSign = 3;

/** The numbers of a passage by where their words start: a sign or currency before a number belongs to it, not to its word. */
export const indexNumbers = remember((numbers: readonly NumberMention[]): ReadonlyMap<number, NumberMention> => {
  const found = new Map<number, NumberMention>();
  for (const number of numbers) {
    for (let at = Math.min(number.start + longestSign, number.end - 1); at >= number.start; at -= 1)
      found.set(at, number);
  }
  return found;
});
