/** A number in digits, from `start` on, without sign, currency or unit. */
export interface DigitNumber {
  readonly end: number;
  readonly value: number;
  /** What its last digit counts: 0.01 in "3.25", 1 in "12". */
  readonly step: number;
  /** Whether its groups stand apart by plain spaces ("1 234"), as two numbers also would, but for "1 000". */
  readonly hasSpaces: boolean;
  /** Whether it is no number at all but a code: "192.168.0.1", "2:30", "2020-01-02", "555-1234". */
  readonly isCode: boolean;
}

const comma = 44;
const dot = 46;
const space = 32;
const colon = 58;
const dash = 45;
const slash = 47;

/** Spaces that only ever group digits: no-break, thin, narrow no-break. */
const groupSpaces: ReadonlySet<number> = new Set([0xa0, 0x2009, 0x202f]);
const superscripts: ReadonlyMap<string, number> = new Map(
  [..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((digit, value) => [digit, value] as const),
);
const longestPart = 12;
const mostParts = 4;
const mostDigits = 400;

/** Whether a UTF-16 unit is one of 0 to 9. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * The number that begins at `start`, where a digit stands, or a dot with a digit after it. Looks at each character a
 * bounded number of times. Thousands are grouped by commas, by no-break or thin spaces, by plain spaces, or, where a
 * decimal comma or a second group makes it certain, by dots ("1.234,5"). A single comma before one or two digits is a
 * decimal one where the text is known to write so.
 */
export function readDigits(text: string, start: number, hasDecimalComma = false): DigitNumber {
  const code = readCode(text, start);
  if (code !== null) return { end: code, value: Number.NaN, step: Number.NaN, hasSpaces: false, isCode: true };
  const whole = skipDigits(text, start);
  const groups = whole - start <= 3 && whole > start ? readGroups(text, whole) : null;
  const wholeEnd = groups?.end ?? whole;
  const isComma = groups === null ? hasDecimalComma && whole > start : groups.separator === dot;
  const mark = isComma ? comma : dot;
  const hasFraction =
    (text.charCodeAt(wholeEnd) === mark && isDigit(text.charCodeAt(wholeEnd + 1))) || isEuroPrice(text, wholeEnd);
  const end = hasFraction ? skipDigits(text, wholeEnd + 1) : wholeEnd;
  const integer = groups === null ? text.slice(start, whole) : keepDigits(text, start, wholeEnd);
  const decimals = hasFraction ? text.slice(wholeEnd + 1, end) : "";
  return withExponent(
    text,
    end,
    toNumber(integer, decimals),
    decimals.length,
    groups?.separator === space && text.charAt(whole + 1) !== "0",
  );
}

/** The power after a number, "e-3" or "× 10^5" or "× 10⁵", taken into its value. */
function withExponent(text: string, end: number, value: number, decimals: number, hasSpaces: boolean): DigitNumber {
  const exponent = readExponent(text, end);
  const power = exponent?.power ?? 0;
  return {
    end: exponent?.end ?? end,
    value: power === 0 ? value : Number(`${value}e${power}`),
    step: 10 ** (power - decimals),
    hasSpaces,
    isCode: false,
  };
}

function toNumber(integer: string, decimals: string): number {
  if (integer.length > mostDigits) return Number.POSITIVE_INFINITY;
  return Number(`${integer === "" ? "0" : integer}.${decimals.slice(0, mostDigits)}`);
}

/** ",50 €": before a euro sign a comma with two digits is a decimal one. */
function isEuroPrice(text: string, from: number): boolean {
  if (text.charCodeAt(from) !== comma || skipDigits(text, from + 1, 3) !== from + 3) return false;
  return text.charAt(from + 3) === "€" || text.charAt(from + 4) === "€";
}

function readGroups(text: string, from: number): { readonly end: number; readonly separator: number } | null {
  const separator = text.charCodeAt(from);
  const mayGroup = separator === comma || separator === dot || separator === space || groupSpaces.has(separator);
  if (!mayGroup) return null;
  let end = from;
  let count = 0;
  while (text.charCodeAt(end) === separator && isGroup(text, end + 1)) {
    end += 4;
    count += 1;
  }
  if (count === 0) return separator === comma ? readLakhs(text, from) : null;
  if (separator === dot && count === 1) {
    const isDecimalComma =
      text.charCodeAt(end) === comma && isDigit(text.charCodeAt(end + 1)) && !isGroup(text, end + 1);
    if (!isDecimalComma) return null;
  }
  return { end, separator };
}

/** "1,00,000": groups of two, then one of three. */
function readLakhs(text: string, from: number): { readonly end: number; readonly separator: number } | null {
  let end = from;
  while (text.charCodeAt(end) === comma && skipDigits(text, end + 1, 3) === end + 3) end += 3;
  return end > from && text.charCodeAt(end) === comma && isGroup(text, end + 1)
    ? { end: end + 4, separator: comma }
    : null;
}

/** Exactly three digits. */
function isGroup(text: string, start: number): boolean {
  return skipDigits(text, start, 4) === start + 3;
}

function readExponent(text: string, from: number): { readonly end: number; readonly power: number } | null {
  if ((text.charCodeAt(from) | 32) === 101) {
    const sign = text.charAt(from + 1);
    const digits = from + (sign === "-" || sign === "+" ? 2 : 1);
    const end = skipDigits(text, digits, 5);
    if (end === digits || isLetterAt(text, end)) return null;
    return { end, power: boundPower(Number(text.slice(from + 1, end))) };
  }
  let at = text.charAt(from) === " " ? from + 1 : from;
  if (text.charAt(at) !== "×" && text.charAt(at) !== "x" && text.charAt(at) !== "*") return null;
  at += text.charAt(at + 1) === " " ? 2 : 1;
  if (!text.startsWith("10", at)) return null;
  at += 2;
  if (text.charAt(at) === "^") return readPower(text, at + 1);
  let end = text.charAt(at) === "⁻" ? at + 1 : at;
  let power = 0;
  for (let digit = superscripts.get(text.charAt(end)); digit !== undefined && end < at + 5; ) {
    power = power * 10 + digit;
    end += 1;
    digit = superscripts.get(text.charAt(end));
  }
  if (end === at || text.charAt(end - 1) === "⁻") return null;
  return { end, power: boundPower(text.charAt(at) === "⁻" ? -power : power) };
}

function readPower(text: string, from: number): { readonly end: number; readonly power: number } | null {
  const brace = text.charAt(from) === "{" || text.charAt(from) === "(" ? 1 : 0;
  const sign = text.charAt(from + brace);
  const digits = from + brace + (sign === "-" || sign === "−" ? 1 : 0);
  const end = skipDigits(text, digits, 5);
  if (end === digits) return null;
  const power = Number(text.slice(digits, end));
  return { end: end + brace, power: boundPower(digits > from + brace ? -power : power) };
}

function boundPower(power: number): number {
  return Math.max(-999, Math.min(999, power));
}

/**
 * The end of what begins with a digit but is no number: two or more parts joined by dots, colons, or dashes or slashes
 * without spaces ("1.2.3", "12:30", "2020-01-02", "555-123-4567", "3/4/2020"). "3-4" and "1/2" are none, nor is
 * "16-3-4", which subtracts: dashes make a code only where a part has a leading zero, or is a year, or is as long as
 * the parts of a telephone number.
 */
function readCode(text: string, start: number): number | null {
  const first = skipDigits(text, start, longestPart);
  const joint = text.charCodeAt(first);
  if (joint !== dot && joint !== colon && joint !== dash && joint !== slash) return null;
  if (first === start || first - start === longestPart || !isDigit(text.charCodeAt(first + 1))) return null;
  const parts: string[] = [text.slice(start, first)];
  let end = first;
  while (parts.length <= mostParts && text.charCodeAt(end) === joint && isDigit(text.charCodeAt(end + 1))) {
    const next = skipDigits(text, end + 1, longestPart);
    parts.push(text.slice(end + 1, next));
    end = next;
  }
  if (parts.length > mostParts || continuesAsSum(text, end)) return null;
  return isCodeOf(joint, parts) ? end : null;
}

function isCodeOf(joint: number, parts: readonly string[]): boolean {
  const [first = "", second = ""] = parts;
  if (joint === colon)
    return parts.length <= 3 && parts.slice(1).every(({ length }) => length === 2) && first.length <= 2;
  if (joint === dot) return parts.length > 2 && !parts.slice(1).every(({ length }) => length === 3);
  const [, , third = ""] = parts;
  const hasZero = parts.some((part) => part.length > 1 && part.startsWith("0"));
  if (joint === slash)
    return parts.length === 3 && first.length <= 4 && second.length <= 2 && (third.length === 4 || hasZero);
  if (parts.length === 2) return first.length === 3 && second.length === 4 && hasZero;
  if (parts.length === 3 && first.length === 4 && hasZero) return true;
  return parts.length >= 3 && first.length === 3 && second.length === 3 && third.length === 4;
}

/** Whether an operator, an equals sign or a decimal goes on right after: then it was an expression. */
function continuesAsSum(text: string, end: number): boolean {
  const at = text.charAt(end) === " " ? end + 1 : end;
  const next = text.charAt(at);
  // Two stars set a time in bold.
  return (
    next === "=" ||
    (next === "*" && text.charAt(at + 1) !== "*") ||
    next === "+" ||
    next === "×" ||
    (next === "/" && at === end)
  );
}

function skipDigits(text: string, start: number, most = Number.POSITIVE_INFINITY): number {
  let end = start;
  while (end - start < most && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function keepDigits(text: string, start: number, end: number): string {
  let digits = "";
  for (let at = start; at < end; at += 1) if (isDigit(text.charCodeAt(at))) digits += text.charAt(at);
  return digits;
}

function isLetterAt(text: string, at: number): boolean {
  const lower = text.charCodeAt(at) | 32;
  return lower >= 97 && lower <= 122;
}

const vulgarFractions = new Map<number, number>();

/** The value of a fraction in one character, "½" or "⅖", as Unicode takes it apart; null for any other. */
export function readVulgarFraction(text: string, at: number): number | null {
  const code = text.charCodeAt(at);
  if (!(code >= 0xbc && code <= 0xbe) && !(code >= 0x2150 && code <= 0x215e)) return null;
  const known = vulgarFractions.get(code);
  if (known !== undefined) return known;
  const [above = 0, below = 1] = text.charAt(at).normalize("NFKD").split("⁄").map(Number);
  vulgarFractions.set(code, above / below);
  return above / below;
}

const decimalComma = /(?<![\d,.])\d{1,3},\d{1,2}(?![\d,]|\.\d)/;
const decimalDot = /(?<![\d.,])\d+\.\d{1,2}(?![\d.])/;

/** Whether a text writes "1,5" for one and a half. */
export function writesDecimalComma(text: string): boolean {
  return decimalComma.test(text) && !decimalDot.test(text);
}
