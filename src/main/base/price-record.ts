import { z } from "zod";

/** In US dollars for a million tokens; above some lengths of the prompt it may be another one. */
const rateSchema = z.union([
  z.number().min(0),
  z
    .object({
      base: z.number().min(0),
      tiers: z.array(z.object({ start: z.number().min(0), price: z.number().min(0) }).readonly()).readonly(),
    })
    .readonly(),
]);
export type Rate = z.infer<typeof rateSchema>;

const modelPriceSchema = z
  .object({
    /** As requests name it, and as the service does. */
    name: z.string(),
    model: z.string(),
    input: rateSchema,
    cached: rateSchema,
    /** Of the prompt's tokens that are stored in the service's cache, and of those that stay there for an hour; null where not known. */
    cacheWrite: rateSchema.nullable(),
    cacheWrite1h: rateSchema.nullable(),
    output: rateSchema,
    /** What it costs compared with a direct call; `cachedFactor`: the same of what the service had in its cache. */
    factor: z.number().positive(),
    cachedFactor: z.number().positive(),
    /** Whether the service gives a discount that it does not say for sure: this is the most that it can cost. */
    isCeiling: z.boolean(),
    source: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("typed") }),
      z.object({
        kind: z.literal("list"),
        provider: z.string(),
        /** When the list was published, and from which day on this price holds, where it has changed. */
        day: z.iso.date(),
        since: z.iso.date().nullable(),
      }),
    ]),
  })
  .readonly();
/** What a model's tokens cost. */
export type ModelPrice = z.infer<typeof modelPriceSchema>;

export const priceRecordSchema = z
  .object({ version: z.literal(1), models: z.array(modelPriceSchema).readonly() })
  .readonly();
/**
 * What the answers of a batch cost, by the models that its requests name. It is kept with the batch, so that its cost stays what it was.
 * One without a price is left out.
 */
export type PriceRecord = z.infer<typeof priceRecordSchema>;

/** Which models are priced, and how and when they are asked. */
export interface PricedModels {
  /** As requests name them. */
  readonly models: readonly string[];
  /** Calls made one by one cost the whole price, also where batches cost less. */
  readonly isDirect: boolean;
  /** Prices change. */
  readonly day: Date;
}

/** The same with the prices of another record for the models that this one has none of. */
export function fillPrices(record: PriceRecord, found: PriceRecord): PriceRecord {
  const names = new Set(record.models.map(({ name }) => name));
  return toPriceRecord([...record.models, ...found.models.filter(({ name }) => !names.has(name))]);
}

/** In one order, so that equal prices are one record. */
export function toPriceRecord(models: readonly ModelPrice[]): PriceRecord {
  return { version: 1, models: models.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
}
