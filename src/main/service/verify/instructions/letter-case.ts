import type { Range } from "../types.ts";
import { broken, isConditional, kept, type Rule } from "./instruction.ts";

const asked =
  /^(?:only |just )?(?:(?:answer|respond|reply|write|output|give)(?: (?:your|the|entire|whole|full|answer|response|reply|output|everything|it|only|all|text|with|using)){0,5}|(?:your|the) (?:entire |whole |full )?(?:answer|response|reply|output) (?:must|should|has to|needs to|is to|shall) be(?: in english,? and)?|use|using)(?: (?:in|only|with|all|english|and|using)){0,4} (?:all )?(?:(upper-?\s?case|capital letters|capitals|all caps|caps)|(lower-?\s?case|small letters))\b/i;

/** "Answer in capital letters", "all lowercase". */
export const checkLetterCase: Rule = (instruction, reading) => {
  const found = asked.exec(instruction.text);
  if (found === null || isConditional(instruction.text, found.index, found[0].length)) return [];
  const name = found[1] === undefined ? "lower-case" : "capital";
  const wrong = findOther(reading.response.text, found[1] === undefined);
  if (wrong === null) return [kept(instruction, reading, `The response is in ${name} letters, as the prompt asks.`)];
  return [broken(instruction, reading, `The prompt asks for ${name} letters, and this is not.`, wrong)];
};

/** The first word that is not in the case that is wanted. */
function findOther(text: string, wantsLower: boolean): Range | null {
  const at = text.search(wantsLower ? /\p{Lu}/u : /\p{Ll}/u);
  if (at === -1) return null;
  let start = at;
  while (start > 0 && isLetter(text.charAt(start - 1))) start -= 1;
  let end = at + 1;
  while (end < text.length && isLetter(text.charAt(end))) end += 1;
  return { start, end };
}

function isLetter(unit: string): boolean {
  return /[\p{L}\p{M}\p{Cs}]/u.test(unit);
}
