import type { calcPrice } from "@pydantic/genai-prices";
import type { Connection, TypedPrices } from "#contract";
import { type ModelPrice, type PricedModels, type PriceRecord, type Rate, toPriceRecord } from "#main/base";
import { modelAt, presetOf } from "../connection-settings.ts";

/** The publication day of the prices that the app was built with. */
export const pricesDate = "2026-09-23";

/** What the prices of a connection depend on. */
export interface PricedConnection extends Pick<Connection, "preset" | "adapter" | "priceFactor" | "models"> {
  readonly prices: (Partial<TypedPrices> & Pick<TypedPrices, "input" | "output">) | null;
  readonly modelPrices?: Connection["modelPrices"];
}

/** Published prices. */
export type PriceList = typeof calcPrice;

/** Loads the list when it is first used: it is large. */
export async function loadPriceList(): Promise<PriceList> {
  return (await import("@pydantic/genai-prices")).calcPrice;
}

/** The prices of models at a connection, by the names that requests have; those without a price are left out. */
export async function findPrices(
  connection: PricedConnection,
  { models, ...when }: PricedModels,
): Promise<PriceRecord> {
  if (models.length === 0) return toPriceRecord([]);
  const list = await loadPriceList();
  return toPriceRecord(models.flatMap((name) => findModelPrice(connection, name, { ...when, list }) ?? []));
}

/**
 * What a model costs: by the prices that the user typed, else by those under the preset's own provider. Null where no price is
 * known; it is never guessed from a model's name alone.
 */
export function findModelPrice(
  connection: PricedConnection,
  name: string,
  {
    isDirect,
    day,
    list,
  }: Pick<PricedModels, "isDirect"> & { readonly day: Date | undefined; readonly list: PriceList },
): ModelPrice | null {
  const model = modelAt(connection)(name);
  const typed = findOwn(connection, name, "prices") ?? connection.prices;
  const { priceProvider: provider, cachedPriceFactor } = presetOf(connection);
  const known = knownFactor(connection, name, isDirect);
  const factor = known ?? 1;
  if (typed !== null) {
    const rates = toRates(typed);
    return { name, model, ...rates, factor, cachedFactor: factor, isCeiling: false, source: { kind: "typed" } };
  }
  const found = provider === null ? null : findRates(model, provider, { day, list });
  if (found === null || provider === null) return null;
  const { since, ...rates } = found;
  return {
    name,
    model,
    ...rates,
    factor,
    cachedFactor: isDirectly(connection, isDirect) ? 1 : (cachedPriceFactor ?? factor),
    // A service with batches that costs less for them, and does not say for certain how much.
    isCeiling: known === null,
    source: { kind: "list", provider, day: pricesDate, since },
  };
}

/** What the user typed for a model by the name that requests have, else by the service's own; null for nothing. */
function findOwn<Key extends "prices" | "factor">(
  connection: Pick<PricedConnection, "models" | "modelPrices">,
  name: string,
  key: Key,
): Connection["modelPrices"][number][Key] | null {
  const typed = connection.modelPrices?.filter((one) => one[key] !== null) ?? [];
  const model = modelAt(connection)(name);
  const own = typed.find((one) => one.model === name) ?? typed.find((one) => one.model === model);
  return own?.[key] ?? null;
}

/** The price of a call compared with a direct one; null where that is not certain. */
function knownFactor(
  connection: Pick<PricedConnection, "preset" | "adapter" | "priceFactor" | "models" | "modelPrices">,
  name: string,
  isDirect: boolean,
): number | null {
  if (isDirectly(connection, isDirect)) return 1;
  return findOwn(connection, name, "factor") ?? connection.priceFactor ?? presetOf(connection).priceFactor;
}

function isDirectly({ adapter }: Pick<PricedConnection, "adapter">, isDirect: boolean): boolean {
  return isDirect || adapter === "chat";
}

type Rates = Pick<ModelPrice, "input" | "cached" | "cacheWrite" | "cacheWrite1h" | "output">;

function toRates({ input, output, cached, cacheWrite, cacheWrite1h }: NonNullable<PricedConnection["prices"]>): Rates {
  const written = cacheWrite ?? input;
  return { input, output, cached: cached ?? input, cacheWrite: written, cacheWrite1h: cacheWrite1h ?? written };
}

/** Null for a model that is not known there, not paid by its tokens, or with prices that change with the time of the day. */
function findRates(
  model: string,
  providerId: string,
  { day, list }: { readonly day: Date | undefined; readonly list: PriceList },
): (Rates & { since: string | null }) | null {
  const found = list({}, model, { providerId, ...(day && { timestamp: day }) });
  if (found === null) return null;
  const {
    input_mtok: input,
    cache_read_mtok: cached,
    cache_write_mtok: cacheWrite,
    cache_write_1h_mtok: cacheWrite1h,
    output_mtok: output,
    requests_kcount: perRequest,
  } = found.model_price;
  if ((input === undefined && output === undefined) || perRequest !== undefined) return null;
  const conditions = Array.isArray(found.model.prices) ? found.model.prices : [];
  if (conditions.some(({ constraint }) => constraint?.type === "time_of_date")) return null;
  const days = conditions.flatMap(({ constraint }) => (constraint?.type === "start_date" ? constraint.start_date : []));
  return {
    input: toRate(input ?? 0),
    cached: toRate(cached ?? input ?? 0),
    cacheWrite: cacheWrite === undefined ? null : toRate(cacheWrite),
    cacheWrite1h: cacheWrite1h === undefined ? null : toRate(cacheWrite1h),
    output: toRate(output ?? 0),
    since:
      (day &&
        days
          .filter((start) => start <= day.toISOString().slice(0, 10))
          .toSorted()
          .at(-1)) ??
      null,
  };
}

/** Without what the list's own class has besides. */
function toRate(rate: Rate): Rate {
  if (typeof rate === "number") return rate;
  return { base: rate.base, tiers: rate.tiers.map(({ start, price }) => ({ start, price })) };
}
