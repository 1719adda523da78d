/** Ways of writing in LaTeX, Markdown and other scripts that change what a number looks like, not its value. */
const notations: readonly (readonly [written: RegExp, plain: string])[] = [
  [/\\[!]/g, ""],
  [/\\[,;: ]/g, "\u2009"],
  [/\\([%$])/g, "$1"],
  [/\\[()[\]]/g, " "],
  [/\\(?:times|cdot)(?![a-zA-Z])/g, "×"],
  [/\\pm(?![a-zA-Z])/g, "±"],
  [/\\(?:text|mathrm|textbf|mathbf|mathit)\s*\{([^{}]*)\}/g, "$1"],
  [/(?<=\d)\{,\}(?=\d)/g, ","],
  [/(?<=\d)_(?=\d{3})/g, ""],
  [/(?<=\d)(?=\\[cdt]?frac)/g, " "],
  [/\\[cdt]?frac\s*(?:\{\s*(-?[\d.,]+)\s*\}|(\d))\s*(?:\{\s*([\d.,]+)\s*\}|(\d))/g, "$1$2/$3$4"],
  // The Arabic marks of decimals and thousands.
  [/(?<=\d)\u066b(?=\d)/g, "."],
  [/(?<=\d)\u066c(?=\d)/g, ","],
  [/<sup>\s*(-?\d+)\s*<\/sup>/gi, "^$1"],
  // The exponent of a unit or a variable is no number of its own.
  [/(?<=\p{L})\^(?:\{\s*-?\d+\s*\}|-?\d+)/gu, ""],
];

/** A number with its exponent: "42²", "2^10", "10^{-3}". Without a space between, it is no footnote. */
const powers = /(?<![\d.,^])(\d+(?:\.\d+)?)(?:\^(?:\{\s*(-?\d{1,3})\s*\}|(-?\d{1,3})(?!\d))|(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))/g;

/** Three digits at a time, apart by spaces or apostrophes; then a comma can only be that of decimals. */
const groups = /(?<![\d.,'’])\d{1,3}(?:['’ \u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+)?(?![\d'’])/g;

/** A text with its numbers as they are written most: ASCII digits, a point before decimals, no LaTeX. */
export function plainNumbers(text: string): string {
  let plain = toAscii(text);
  for (const [written, replacement] of notations) plain = plain.replaceAll(written, replacement);
  return writePowers(plain).replaceAll(groups, (number) =>
    number.replaceAll(/['’ \u00a0\u2009\u202f]/g, "").replace(",", "."),
  );
}

/** Powers as their values; one of ten after a multiplication sign is part of a number in scientific notation. */
function writePowers(text: string): string {
  return text.replaceAll(powers, (power, base, inBraces, plain, raised: string | undefined, at: number) => {
    if (base === "10" && /[×x*·⋅]\s*$/.test(text.slice(Math.max(0, at - 3), at))) return power;
    const value = Number(base) ** Number(raised?.normalize("NFKC").replace("−", "-") ?? inBraces ?? plain);
    return Number.isFinite(value) ? String(value).replace("e+", "e") : power;
  });
}

const fullWidthShift = 0xfee0;

/** Digits of any script, and what keyboards for Chinese and Japanese write twice as wide, as ASCII has them. */
function toAscii(text: string): string {
  return text
    .replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - fullWidthShift))
    .replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** Unicode has the ten digits of a script in a row, and never begins another row right after another script's. */
function digitValue(code: number): number {
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}
