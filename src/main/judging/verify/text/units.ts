import { z } from "zod";
import rows from "./units.json" with { type: "json" };

const unitSchema = z.object({
  /** One spelling for all of a unit's names: "km" for "kilometers". */
  name: z.string(),
  /** What is measured. Two units of one dimension convert into each other. */
  dimension: z.enum(["length", "mass", "time", "volume", "area", "speed", "data", "money", "count", "temperature"]),
  /** In the dimension's base unit (m, g, s, l, m², m/s, byte, dollar, one, kelvin). */
  factor: z.number(),
  /** What 0 of it is in the base unit; only temperatures have one. */
  offset: z.number().optional(),
  /** Whether the factor is only an average, as that of a month. */
  isRough: z.boolean().optional(),
});
export type Unit = Readonly<z.infer<typeof unitSchema>>;

/** By every spelling. Factors are exact by definition (NIST SP 811), but for the rough ones. */
const units: ReadonlyMap<string, Unit> = new Map(
  rows.flatMap(({ spellings, ...row }) => {
    const unit = unitSchema.parse(row);
    return spellings.split(" ").map((spelling) => [spelling, unit] as const);
  }),
);

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
