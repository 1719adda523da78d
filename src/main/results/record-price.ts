import type { ModelPrice, PriceRecord, Rate } from "#main/base";
import type { LinePrice, LineTokens } from "./line-costs.ts";
import { isVersionOf, toBareName } from "./model-names.ts";

interface RecordPriceOptions {
  readonly isToday?: boolean;
  /** The models that the batch asks, those without a price included. */
  readonly asked?: readonly string[];
}

/** Prices lines by a record. Null for a model, a tier or tokens that it has no price of: nothing is guessed. */
export function createRecordPrice(
  { models }: PriceRecord,
  { isToday = false, asked = [] }: RecordPriceOptions = {},
): LinePrice {
  const unpriced = asked.filter((name) => !models.some((one) => one.name === name));
  const known = new Map<string, ModelPrice | null>();
  const find = (name: string) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = findModel(models, name, unpriced);
    known.set(name, found);
    return found;
  };
  const price = (name: string, tokens: LineTokens) => {
    const found = find(name);
    return found && priceTokens(tokens, found);
  };
  return Object.assign(price, {
    isCeiling: (name: string) => find(name)?.isCeiling ?? false,
    nameOf: (answered: string) => find(answered)?.name ?? null,
    isToday,
  });
}

/**
 * Where a batch asks several models, lines are known by the model that answered, as it calls itself: `gpt-4o-2024-08-06` for `gpt-4o`. Of
 * names that fit the longest is taken. Where that is one without a price there is none: `gpt-4o-mini` does not cost what `gpt-4o` does.
 */
function findModel(models: readonly ModelPrice[], name: string, unpriced: readonly string[]): ModelPrice | null {
  if (unpriced.includes(name)) return null;
  const exact = models.find((one) => one.name === name) ?? models.find((one) => one.model === name);
  if (exact !== undefined) return exact;
  const answered = toBareName(name);
  const without = unpriced.map(toBareName).filter((asked) => isVersionOf(answered, asked));
  const longestWithout = Math.max(0, ...without.map(({ length }) => length));
  const fitting = models.flatMap((one) => {
    const lengths = [one.name, one.model].map(toBareName).filter((asked) => isVersionOf(answered, asked));
    return lengths.length === 0 ? [] : [{ one, length: Math.max(...lengths.map(({ length }) => length)) }];
  });
  const [longest] = fitting.toSorted((a, b) => b.length - a.length);
  return longest === undefined || longest.length <= longestWithout ? null : longest.one;
}

const million = 1_000_000;

/** The prompt of this one line decides on the prices of all its tokens. */
function priceTokens(
  { promptTokens, cachedTokens, completionTokens, bill }: LineTokens,
  price: ModelPrice,
): number | null {
  if (bill?.tier != null) return null;
  const cached = Math.min(cachedTokens, promptTokens);
  const written = Math.min(bill?.cacheWriteTokens ?? 0, promptTokens - cached);
  const forAnHour = Math.min(bill?.cacheWrite1hTokens ?? 0, written);
  const writes = priceOf(written - forAnHour, price.cacheWrite, promptTokens);
  const longWrites = priceOf(forAnHour, price.cacheWrite1h, promptTokens);
  if (writes === null || longWrites === null) return null;
  const fresh = (promptTokens - cached - written) * rateAt(price.input, promptTokens);
  const answer = completionTokens * rateAt(price.output, promptTokens);
  const fromCache = cached * rateAt(price.cached, promptTokens);
  return ((fresh + writes + longWrites + answer) * price.factor + fromCache * price.cachedFactor) / million;
}

function priceOf(tokens: number, rate: Rate | null, promptTokens: number): number | null {
  if (tokens === 0) return 0;
  return rate === null ? null : tokens * rateAt(rate, promptTokens);
}

function rateAt(rate: Rate, promptTokens: number): number {
  if (typeof rate === "number") return rate;
  return rate.tiers.findLast(({ start }) => promptTokens > start)?.price ?? rate.base;
}
