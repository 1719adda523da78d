/** What multiplies the digits before it, in the languages that are known. English words are number words. */
const words: ReadonlyMap<string, number> = new Map(
  (
    "k:3 mn:6 bn:9 tn:12 lakh:5 lakhs:5 crore:7 crores:7 tsd:3 mio:6 mrd:9 millions:6 billions:9 trillions:12 " +
    "thousands:3 tausend:3 millionen:6 milliarde:9 milliarden:9 milliard:9 milliards:9 millón:6 millones:6 " +
    "milione:6 milioni:6 miliardo:9 miliardi:9 milhão:6 milhões:6 bilhão:9 bilhões:9"
  )
    .split(" ")
    .map((pair) => {
      const [word = "", power = ""] = pair.split(":");
      return [word, 10 ** Number(power)] as const;
    }),
);
/** The same in Chinese, Japanese and Korean, where several follow one another: 25万6千. */
const signs: ReadonlyMap<string, number> = new Map([
  ...[..."百"].map((sign) => [sign, 1e2] as const),
  ...[..."千천"].map((sign) => [sign, 1e3] as const),
  ...[..."万萬만"].map((sign) => [sign, 1e4] as const),
  ...[..."亿億억"].map((sign) => [sign, 1e8] as const),
  ...[..."兆조"].map((sign) => [sign, 1e12] as const),
]);
const word = /\p{L}{1,11}/uy;

/** The word at a place that multiplies the digits before it, with its full stop where it is short for another. */
export function findScaleWord(text: string, start: number): { readonly end: number; readonly factor: number } | null {
  word.lastIndex = start;
  const found = word.exec(text)?.[0] ?? "";
  const factor = words.get(found.toLowerCase());
  if (factor === undefined || found === "K") return null;
  const end = start + found.length;
  return { end: text.charAt(end) === "." && /^(?:tsd|mio|mrd)$/i.test(found) ? end + 1 : end, factor };
}

const signed = /([百千천万萬만亿億억兆조]+)(\d{1,4}(?=[百千천万萬만亿億억兆조])|\d{4}(?!\d))?/uy;

/** The value of digits with the signs after them, and of those that follow: 256,000 for "25万6千". Null without a sign. */
export function readSigns(text: string, start: number, first: number) {
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
