import { isSameTime, type NumberMention, type Word } from "../../../text/index.ts";
import type { Manner } from "../numbers.ts";
import type { Passage } from "../passage.ts";
import { listsOf, timesOf, yearsOf } from "./read-known.ts";

/** What stands between two numbers in words that are said as one. */
const joints: readonly (readonly [RegExp, (a: number, b: number) => number])[] = [
  // "One thousand, two hundred and fifty".
  [/^, ?$/, (a, b) => (a >= 1_000 && a % 1_000 === 0 && b < 1_000 ? a + b : Number.NaN)],
  // "Seventeen point five".
  [/^ point $/i, (a, b) => Number(`${a}.${b}`)],
  // "Twenty oh six".
  [/^[ -]oh[ -]$/i, (a, b) => (b < 10 ? a * 100 + b : Number.NaN)],
  // "Three dollars and fifty".
  [/^ (?:dollars?|euros?|pounds?)(?: and)? $/i, (a, b) => (b < 100 ? a + b / 100 : Number.NaN)],
];

/** Two numbers in words that are one of the passage: "seventeen point five", "twenty oh six", "nine thirty". */
export function isSpoken(text: string, mentions: readonly NumberMention[], at: number, passage: Passage): boolean {
  return [at - 1, at].some((index) => {
    const [first, second] = [mentions[index], mentions[index + 1]];
    if (!first || !second || first.kind === "ordinal" || second.kind === "ordinal" || !first.isWord) return false;
    const gap = text.slice(first.end, second.start);
    if (gap.length > longestJoint) return false;
    if (/^(?: |-|[ -]oh[ -])$/i.test(gap) && isTime(first.value, second.value, passage)) return true;
    return joints.some(([pattern, join]) => {
      const value = pattern.test(gap) ? join(first.value, second.value) : Number.NaN;
      return yearsOf(passage).has(value) || passage.numbers.some((number) => Math.abs(number.value - value) < 1e-9);
    });
  });
}

const longestJoint = 13;

function isTime(hours: number, minutes: number, passage: Passage): boolean {
  if (hours > 24 || minutes >= 60) return false;
  const said = { start: 0, end: 0, minutes: hours * 60 + minutes, half: null };
  return timesOf(passage).some((time) => isSameTime(time, said));
}

/** So far off may be what is said to be about so much. */
const looseness = 0.02;

/** "About 310" of 312, and "1.2 million" of 1,204,500. */
export function isRounded(
  text: string,
  { start, end, value, step, kind, unit }: NumberMention,
  manner: Manner,
  { numbers }: Passage,
): boolean {
  if (kind !== "cardinal" || value < 10) return false;
  const isScaled = /(?:[mb]illion|[mb]n)$/i.test(text.slice(start, end));
  if (!isScaled && manner !== "about") return false;
  const digit = isScaled ? step : 10 ** Math.floor(Math.log10(value));
  return numbers.some((number) => {
    if (number.kind !== "cardinal" || number.unit?.unit.name !== unit?.unit.name) return false;
    const gap = Math.abs(number.value - value);
    return gap <= digit / 2 && gap <= value * looseness && number.step < digit;
  });
}

const groups: ReadonlyMap<string, number> = new Map([
  ["pair", 2],
  ["couple", 2],
  ["duo", 2],
  ["trio", 3],
  ["threesome", 3],
  ["quartet", 4],
  ["foursome", 4],
  ["quintet", 5],
  ["sextet", 6],
]);
const decades = "twenties thirties forties fifties sixties seventies eighties nineties".split(" ");

/** "A trio", where the passage has three of something, and "the eighties" of 1984. */
export function isNumberInWords({ norm }: Word, passage: Passage): boolean {
  const count = groups.get(norm);
  if (count !== undefined) return listsOf(passage).has(count) || passage.numbers.some(({ value }) => value === count);
  const decade = decades.indexOf(norm);
  return decade !== -1 && decadesOf(passage).some((year) => year % 100 === (decade + 2) * 10);
}

/** "Eighteen" of "the eighteen-nineties". */
export function isDecadeInWords(text: string, { end, value, isWord }: NumberMention, passage: Passage): boolean {
  if (!isWord) return false;
  const word = /^[ -]([a-z]{6,9})\b/i.exec(text.slice(end, end + 11))?.[1]?.toLowerCase() ?? "";
  const decade = decades.indexOf(word);
  return decade !== -1 && decadesOf(passage).includes(value * 100 + (decade + 2) * 10);
}

function decadesOf(passage: Passage): readonly number[] {
  return [...yearsOf(passage)].map((year) => Math.floor(year / 10) * 10);
}
