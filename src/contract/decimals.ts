/** A number as JavaScript has it, or as a text that writes one. */
export type NumberLike = number | string;

interface Decimal {
  readonly isNegative: boolean;
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  /** The number is 0.digits times ten to this power. */
  readonly power: number;
}

const written = /^\s*([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?\s*$/;

function toDecimal(number: NumberLike): Decimal {
  const [, sign = "", whole = "", decimals = "", exponent = "0"] = written.exec(String(number)) ?? [];
  const digits = `${whole}${decimals}`.replace(/^0+/, "");
  const power = Number(exponent) + digits.length - decimals.length;
  return { isNegative: sign === "-" && digits !== "", digits: trimZeros(digits), power: digits === "" ? 0 : power };
}

/** Without the zeros at its end. A pattern such as `0+$` takes time that grows with the square of the zeros within. */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

/**
 * A number by its digits and exponent: numbers that are the same decimal have the same text (`1.10`, `1.1`, `11e-1`). One with an exponent that
 * is itself printed with one stays as it is written.
 */
export function normalizeNumber(number: NumberLike): string {
  const { isNegative, digits, power } = toDecimal(number);
  if (digits === "") return "0";
  const normal = `${isNegative ? "-" : ""}${digits}e${power - digits.length}`;
  return isJsonNumber(normal) ? normal : String(number).trim();
}

/**
 * Below, at or above 0 as one number is to another, as decimals; NaN where one is no number. Doubles decide where they
 * differ: rounding never turns an order around.
 */
export function compareNumbers(one: NumberLike, other: NumberLike): number {
  const [double, otherDouble] = [Number(one), Number(other)];
  if (double !== otherDouble || (typeof one === "number" && typeof other === "number")) {
    return double < otherDouble ? -1 : double > otherDouble ? 1 : double === otherDouble ? 0 : Number.NaN;
  }
  return compareDecimals(toDecimal(one), toDecimal(other));
}

function compareDecimals(one: Decimal, other: Decimal): number {
  const sign = signOf(one);
  if (sign !== signOf(other)) return sign - signOf(other);
  if (one.power !== other.power) return one.power < other.power ? -sign : sign;
  return one.digits < other.digits ? -sign : one.digits > other.digits ? sign : 0;
}

function signOf({ isNegative, digits }: Decimal): number {
  return digits === "" ? 0 : isNegative ? -1 : 1;
}

/** Whether two numbers are the same decimal, however they are written: 1.10 and 11e-1 are, 2^53 and 2^53 + 1 are not. */
export function isSameNumber(one: NumberLike, other: NumberLike): boolean {
  return compareNumbers(one, other) === 0;
}

/** Whether a double prints as the number that a text is, however that writes it: `1.50` and `1e3` do. */
export function isDouble(text: string): boolean {
  if (text.length <= exactDigits && !/e/i.test(text)) return true;
  const double = Number(text);
  return Number.isFinite(double) && isSameNumber(double, text);
}

/** So many digits of any number are the same in a double. */
const exactDigits = 15;

/** The number that a text is, as a double where one has room for it, else as it is written; null for any other text. */
export function readNumber(text: string): NumberLike | null {
  if (!plain.test(text)) return null;
  const number = text.trim();
  return isDouble(number) ? Number(number) : number;
}

/** A pattern such as `\d+\.?\d*` takes time that grows with the square of the digits before a letter. */
const plain = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

/** Whether a text is a number as JSON has it: `007` and `+1` are none. */
export function isJsonNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text);
}
