import { findScale } from "./number-words.ts";

/** What multiplies the digits before it, in the languages that are known. English words are number words. */
const words: ReadonlyMap<string, number> = new Map(
  (
    "k:3 mn:6 bn:9 tn:12 lakh:5 lakhs:5 crore:7 crores:7 tsd:3 mio:6 mrd:9 mln:6 mld:9 mille:3 mila:3 millions:6 billions:9 trillions:12 " +
    "thousands:3 tausend:3 millionen:6 milliarde:9 milliarden:9 milliard:9 milliards:9 millón:6 millones:6 " +
    "milione:6 milioni:6 miliardo:9 miliardi:9 milhão:6 milhões:6 bilhão:9 bilhões:9"
  )
    .split(" ")
    .map((pair) => {
      const [word = "", power = ""] = pair.split(":");
      return [word, 10 ** Number(power)] as const;
    }),
);
/** What multiplies in a way that is not known: slang, another language, or what differs between two ("mil"). */
const unknown =
  /^(?:kk?|cr|mil|\p{L}*illions?|mill?[ijy][oó]\p{L}{0,4}|mill?[ijy]a?r\p{L}{0,4}|м[иі]ль?л?[ийя]\p{L}?(?:он|рд)\p{L}{0,3}|млн|млрд|тыс|тис|тысяч\p{L}?|juta|ribu|triệu|tỷ|nghìn)$/iu;
/** The same in Chinese, Japanese and Korean, where several follow one another: 25万6千. */
const signs: ReadonlyMap<string, number> = new Map(
  Object.entries({ 十: 1e1, 百: 1e2, 千: 1e3, 천: 1e3, 万: 1e4, 萬: 1e4, 만: 1e4 }).concat(
    Object.entries({ 亿: 1e8, 億: 1e8, 억: 1e8, 兆: 1e12, 조: 1e12 }),
  ),
);

/** What multiplies the digits before it. */
export interface ScaleWord {
  readonly end: number;
  /** Null where it is not known. */
  readonly factor: number | null;
}

const word = /\p{L}+(?:-ish\b)?/uy;
const longestWord = 15;

/** The word at a place that multiplies the digits before it, with its full stop where it is short for another. Dozens stay a unit. */
export function findScaleWord(text: string, start: number): ScaleWord | null {
  word.lastIndex = start;
  const found = word.exec(text)?.[0] ?? "";
  if (found === "" || found === "K" || found.length > longestWord) return null;
  const end = start + found.length;
  const plain = found.endsWith("-ish") ? found.slice(0, -4) : found;
  const factor = words.get(plain.toLowerCase()) ?? findScale(plain);
  if (factor === 12) return null;
  if (factor === null) return unknown.test(found) ? { end, factor } : null;
  if (plain !== found) return { end, factor: null };
  return { end: text.charAt(end) === "." && /^(?:tsd|mio|mrd)$/i.test(found) ? end + 1 : end, factor };
}

const firstSign = 0x3000;
const signed = / ?([十百千천万萬만亿億억兆조]+)(\d{1,4}(?=[十百千천万萬만亿億억兆조])|\d{4}(?!\d))?/uy;

/** The value of digits with the signs after them, and of those that follow: 256,000 for "25万6千". Null without a sign. */
export function readSigns(text: string, start: number, first: number) {
  // Most digits have none of them after them.
  if (text.charCodeAt(start) < firstSign && text.charCodeAt(start + 1) < firstSign) return null;
  let [end, value, amount, scale] = [start, 0, first, 1];
  signed.lastIndex = start;
  for (let found = signed.exec(text); found !== null; found = signed.exec(text)) {
    const [, multipliers = "", more = ""] = found;
    scale = [...multipliers].reduce((product, sign) => product * (signs.get(sign) ?? 1), 1);
    value += amount * scale;
    amount = Number(more);
    end = signed.lastIndex;
    if (amount > 0) scale = 1;
  }
  return end === start ? null : { end, value: value + amount, scale };
}
