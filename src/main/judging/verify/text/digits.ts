/** A number in digits, from `start` on, without sign, currency or unit. */
export interface DigitNumber {
  readonly end: number;
  readonly value: number;
  /** What its last digit counts: 0.01 in "3.25", 1 in "12". */
  readonly step: number;
  /** What else it may be where the text doesn't show how it groups digits: 5,000 for "5.000". Else null. */
  readonly other: number | null;
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
const year = "年".charCodeAt(0);

/** What only ever groups digits: no-break, thin and narrow no-break spaces, and apostrophes. */
const onlyGroups: ReadonlySet<number> = new Set([0xa0, 0x2009, 0x202f, 0x27, 0x2019]);
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

/** Whether a UTF-16 unit is one of a to z, or A to Z. */
export function isPlainLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** How a text writes numbers. */
export interface NumberHabit {
  /** What parts decimals. */
  readonly mark: "." | ",";
  /** Whether the text shows it. Else three digits after a single mark may also be a group. */
  readonly isCertain: boolean;
}

/** What holds where nothing is known of the text around. */
const pointHabit: NumberHabit = { mark: ".", isCertain: true };

/**
 * The number that begins at `start`, where a digit is, or a dot with a digit after it. Looks at each character a
 * bounded number of times. Groups of three digits are parted by the mark that parts no decimals, by spaces or apostrophes.
 */
export function readDigits(text: string, start: number, habit: NumberHabit = pointHabit): DigitNumber {
  const code = readCode(text, start);
  if (code !== null)
    return { end: code, value: Number.NaN, step: Number.NaN, other: null, hasSpaces: false, isCode: true };
  const whole = skipDigits(text, start);
  const groups = whole - start <= 3 && whole > start ? readGroups(text, whole) : null;
  if (groups?.isSingle === true && (groups.separator === codeOf(habit) || text.startsWith("0", start))) {
    // Three digits after the mark for decimals may be a group all the same, but for "0.125".
    const value = toNumber(text.slice(start, whole), text.slice(whole + 1, groups.end));
    const mayGroup = !habit.isCertain && !text.startsWith("0", start);
    const other = mayGroup ? toNumber(keepDigits(text, start, groups.end), "") : null;
    return withExponent(text, groups.end, { value, other, decimals: 3, hasSpaces: false });
  }
  const wholeEnd = groups?.end ?? whole;
  const hasComma = (habit.mark === "," || !habit.isCertain) && whole > start && text.charCodeAt(start - 1) !== comma;
  const decimals = readDecimals(text, wholeEnd, groups?.separator ?? null, hasComma);
  const end = wholeEnd + (decimals === "" ? 0 : decimals.length + 1);
  const value = toNumber(keepDigits(text, start, wholeEnd), decimals);
  const hasSpaces = groups?.separator === space && text.charAt(whole + 1) !== "0";
  return withExponent(text, end, { value, other: null, decimals: decimals.length, hasSpaces });
}

function codeOf({ mark }: NumberHabit): number {
  return mark === "." ? dot : comma;
}

/** The digits after a decimal mark. It is another mark than that of the groups; after groups by spaces it may be either. */
function readDecimals(text: string, from: number, separator: number | null, hasComma: boolean): string {
  const mark = text.charCodeAt(from);
  const isMark =
    separator === null
      ? mark === dot || (mark === comma && (hasComma || isEuroPrice(text, from)))
      : (mark === dot || mark === comma) && mark !== separator;
  const end = isMark ? skipDigits(text, from + 1) : from;
  // "12,500, 13,000": a comma before three digits continues with a list.
  const isList = mark === comma && text.charCodeAt(end) === comma && isDigit(text.charCodeAt(end + 1));
  const isDecimal =
    end > from + 1 && !isList && !(mark === comma && separator !== null && separator !== dot && end === from + 4);
  return isDecimal ? text.slice(from + 1, end) : "";
}

/** The power after a number, "e-3" or "× 10^5" or "× 10⁵", taken into its value. */
function withExponent(
  text: string,
  end: number,
  {
    value,
    other,
    decimals,
    hasSpaces,
  }: Pick<DigitNumber, "value" | "other" | "hasSpaces"> & { readonly decimals: number },
): DigitNumber {
  const exponent = readExponent(text, end);
  const power = exponent?.power ?? 0;
  return {
    end: exponent?.end ?? end,
    value: power === 0 ? value : Number(`${value}e${power}`),
    step: 10 ** (power - decimals),
    other: power === 0 ? other : null,
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

interface Groups {
  readonly end: number;
  readonly separator: number;
  /** Whether it is one group after a dot or a comma and nothing more: either may also part decimals. */
  readonly isSingle: boolean;
}

function readGroups(text: string, from: number): Groups | null {
  const separator = text.charCodeAt(from);
  const isMark = separator === comma || separator === dot;
  if (!isMark && separator !== space && !onlyGroups.has(separator)) return null;
  let end = from;
  let count = 0;
  while (text.charCodeAt(end) === separator) {
    // "3, 000": what begins with a zero is no number of its own.
    const gap = separator === comma && text.startsWith(" 0", end + 1) ? 2 : 1;
    if (!isGroup(text, end + gap)) break;
    end += gap + 3;
    count += 1;
  }
  if (count === 0) return separator === comma ? readLakhs(text, from) : null;
  return { end, separator, isSingle: isMark && count === 1 && end === from + 4 && !hasDecimals(text, end, separator) };
}

function hasDecimals(text: string, end: number, separator: number): boolean {
  return readDecimals(text, end, separator, false) !== "";
}

/** "1,00,000": groups of two, then one of three. */
function readLakhs(text: string, from: number): Groups | null {
  let end = from;
  while (text.charCodeAt(end) === comma && skipDigits(text, end + 1, 3) === end + 3) end += 3;
  return end > from && text.charCodeAt(end) === comma && isGroup(text, end + 1)
    ? { end: end + 4, separator: comma, isSingle: false }
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
    if (end === digits || isPlainLetter(text.charCodeAt(end))) return null;
    return { end, power: boundPower(Number(text.slice(from + 1, end))) };
  }
  let at = text.charAt(from) === " " ? from + 1 : from;
  if (!"×x*·⋅".includes(text.charAt(at)) || text.charAt(at) === "") return null;
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
 * The end of what begins with a digit but is no number: a date ("3-Apr-26"), or two or more parts joined by dots, colons, or dashes or slashes
 * without spaces ("1.2.3", "12:30", "2020-01-02", "555-123-4567", "3/4/2020"). "3-4" and "1/2" are none, nor is
 * "16-3-4", which subtracts: dashes make a code only where a part has a leading zero, or is a year, or is as long as
 * the parts of a telephone number.
 */
function readCode(text: string, start: number): number | null {
  const first = skipDigits(text, start, longestPart);
  const joint = text.charCodeAt(first);
  if (joint === dash || joint === year) {
    writtenDate.lastIndex = start;
    if (writtenDate.test(text)) return writtenDate.lastIndex;
  }
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

const writtenDate = /\d{1,2}-\p{L}{3,9}\.?-(?:\d{4}|\d{2})(?!\d)|\d{4}年\d{1,2}月\d{1,2}日/uy;

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

/** Whether an operator, an equals sign or a decimal continues right after: then it was an expression. */
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

/** What shows that a text parts decimals by a comma, or by a point: other than three digits after it, or groups beside it. */
const commaDecimals =
  /(?<![\d,.])\d{1,3},(?:\d{1,2}|\d{4,})(?![\d,]|\.\d)|\d\.\d{3},\d|(?<![\d.])\d{1,3}(?:\.\d{3}){2,}(?![\d.])/;
const pointDecimals =
  /(?<![\d.,])\d+\.(?:\d{1,2}|\d{4,})(?![\d.])|\d,\d{3}\.\d|(?<![\d,])\d{1,3}(?:,\d{3}){2,}(?![\d,])/;

/**
 * How a text writes numbers, by what it shows and by its language: English parts decimals by a point, the other languages
 * that are known by a comma. What it shows is certain where its language does not speak against it.
 */
export function readHabit(text: string, language: string | null): NumberHabit {
  const shown = [commaDecimals.test(text) ? "," : "", pointDecimals.test(text) ? "." : ""].join("");
  const usual = language === null || language === "other" ? null : language === "en" ? "." : ",";
  if (shown === "," || shown === ".") return { mark: shown, isCertain: usual === null || usual === shown };
  return { mark: usual ?? ".", isCertain: false };
}
