/** What is measured. Two units of one dimension convert into each other. */
export type Dimension =
  | "length"
  | "mass"
  | "time"
  | "volume"
  | "area"
  | "speed"
  | "data"
  | "money"
  | "count"
  | "temperature";

export interface Unit {
  /** One spelling for all of a unit's names: "km" for "kilometers". */
  readonly name: string;
  readonly dimension: Dimension;
  /** In the dimension's base unit (m, g, s, l, m², m/s, byte, dollar, one, kelvin). */
  readonly factor: number;
  /** What 0 of it is in the base unit; only temperatures have one. */
  readonly offset?: number;
  /** Whether the factor is only an average, as that of a month. */
  readonly isRough?: boolean;
}

const inch = 0.0254;
const pound = 453.59237;
const gallon = 3.785411784;
const day = 86_400;

/** Name, dimension, factor, then every spelling. Factors are exact by definition (NIST SP 811), but for the rough ones. */
const exact: readonly (readonly [string, Dimension, number, string])[] = [
  ["mm", "length", 0.001, "mm millimeter millimeters millimetre millimetres"],
  ["cm", "length", 0.01, "cm centimeter centimeters centimetre centimetres"],
  ["m", "length", 1, "m meter meters metre metres"],
  ["km", "length", 1_000, "km kms kilometer kilometers kilometre kilometres"],
  ["in", "length", inch, "inch inches"],
  ["ft", "length", 12 * inch, "ft foot feet"],
  ["yd", "length", 36 * inch, "yd yard yards"],
  ["mi", "length", 63_360 * inch, "mi mile miles"],
  ["mg", "mass", 0.001, "mg milligram milligrams"],
  ["g", "mass", 1, "g gram grams gramme grammes"],
  ["kg", "mass", 1_000, "kg kgs kilogram kilograms kilo kilos"],
  ["t", "mass", 1_000_000, "tonne tonnes"],
  ["oz", "mass", pound / 16, "oz ounce ounces"],
  ["lb", "mass", pound, "lb lbs pound pounds"],
  ["ton", "mass", 2_000 * pound, "ton tons"],
  ["ms", "time", 0.001, "ms millisecond milliseconds"],
  ["s", "time", 1, "s sec secs second seconds"],
  ["min", "time", 60, "min mins minute minutes"],
  ["h", "time", 3_600, "h hr hrs hour hours"],
  ["d", "time", day, "day days"],
  ["wk", "time", 7 * day, "wk week weeks"],
  ["fortnight", "time", 14 * day, "fortnight fortnights"],
  ["ml", "volume", 0.001, "ml milliliter milliliters millilitre millilitres"],
  ["l", "volume", 1, "l liter liters litre litres"],
  ["tsp", "volume", gallon / 768, "tsp teaspoon teaspoons"],
  ["tbsp", "volume", gallon / 256, "tbsp tablespoon tablespoons"],
  ["floz", "volume", gallon / 128, "floz"],
  ["cup", "volume", gallon / 16, "cup cups"],
  ["pt", "volume", gallon / 8, "pint pints"],
  ["qt", "volume", gallon / 4, "quart quarts"],
  ["gal", "volume", gallon, "gal gallon gallons"],
  ["m²", "area", 1, "m² sqm quadratmeter"],
  ["km²", "area", 1_000_000, "km²"],
  ["ha", "area", 10_000, "ha hectare hectares"],
  ["acre", "area", 4_046.8564224, "acre acres"],
  ["km/h", "speed", 1 / 3.6, "kmh kph km/h"],
  ["m/s", "speed", 1, "m/s"],
  ["mph", "speed", 0.44704, "mph mi/h"],
  ["bit", "data", 0.125, "bit bits"],
  ["B", "data", 1, "byte bytes"],
  ["kB", "data", 1_000, "kb kilobyte kilobytes"],
  ["MB", "data", 1_000_000, "mb megabyte megabytes"],
  ["GB", "data", 1_000_000_000, "gb gigabyte gigabytes"],
  ["TB", "data", 1_000_000_000_000, "tb terabyte terabytes"],
  ["cent", "money", 0.01, "cent cents ¢ penny pennies"],
  ["nickel", "money", 0.05, "nickel nickels"],
  ["dime", "money", 0.1, "dime dimes"],
  ["dollar", "money", 1, "dollar dollars"],
  ["dozen", "count", 12, "dozen dozens"],
];

const rough: readonly (readonly [string, Dimension, number, string])[] = [
  ["mo", "time", (365.2425 / 12) * day, "month months"],
  ["yr", "time", 365.2425 * day, "yr yrs year years"],
  ["decade", "time", 3_652.425 * day, "decade decades"],
  ["century", "time", 36_524.25 * day, "century centuries"],
];

const temperatures: readonly (readonly [Unit, string])[] = [
  [{ name: "°C", dimension: "temperature", factor: 1, offset: 273.15 }, "°c celsius centigrade"],
  [{ name: "°F", dimension: "temperature", factor: 5 / 9, offset: 459.67 * (5 / 9) }, "°f fahrenheit"],
  [{ name: "K", dimension: "temperature", factor: 1, offset: 0 }, "kelvin kelvins"],
];

const units: ReadonlyMap<string, Unit> = new Map([
  ...exact.flatMap(([name, dimension, factor, spellings]) => spell({ name, dimension, factor }, spellings)),
  ...rough.flatMap(([name, dimension, factor, spellings]) =>
    spell({ name, dimension, factor, isRough: true }, spellings),
  ),
  ...temperatures.flatMap(([unit, spellings]) => spell(unit, spellings)),
]);

const longestUnit = 11;

/** The unit that a word names, in any case. Null where it is none; "in" is always the preposition. */
export function findUnit(word: string): Unit | null {
  return word.length > longestUnit ? null : (units.get(word.toLowerCase()) ?? null);
}

/** "m²" for the metre and 2; null for what has no area or volume. */
export function powerOf({ name, dimension, factor }: Unit, exponent: 2 | 3): Unit | null {
  if (dimension !== "length") return null;
  const power = `${name}${exponent === 2 ? "²" : "³"}`;
  if (exponent === 2) return { name: power, dimension: "area", factor: factor ** 2 };
  return { name: power, dimension: "volume", factor: 1_000 * factor ** 3 };
}

/** A value in another unit of the same dimension; null where the two do not convert. */
export function convert(value: number, from: Unit, to: Unit): number | null {
  if (from.dimension !== to.dimension) return null;
  const base = value * from.factor + (from.offset ?? 0);
  return (base - (to.offset ?? 0)) / to.factor;
}

function spell(unit: Unit, spellings: string): readonly (readonly [string, Unit])[] {
  return spellings.split(" ").map((spelling) => [spelling, unit] as const);
}
