import type { calcPrice } from "@pydantic/genai-prices";
import type { Connection } from "#contract";
import type { LinePrice, LineTokens } from "#main/results";
import { modelAt, presetOf } from "../connection.ts";

/** The publication day of the prices that the app was built with. */
export const pricesDate = "2026-09-23";

type PricedConnection = Pick<Connection, "preset" | "adapter" | "prices" | "priceFactor" | "models">;

interface PriceOptions {
  /** Calls made one by one cost the whole price, also where batches cost less. */
  readonly isDirect?: boolean;
  /** When the lines are asked: prices change. Default: now. */
  readonly day?: Date;
}

/** The price of a call in relation to a direct one. */
export function priceFactorOf(connection: Omit<PricedConnection, "models">, isDirect = false): number {
  if (isDirect || connection.adapter === "chat") return 1;
  return connection.priceFactor ?? presetOf(connection).priceFactor ?? 1;
}

/**
 * Prices the lines of a connection, one at a time: by the prices that the user typed, else by those under the preset's own
 * provider. Null where no price is known; it is never guessed from a model's name alone.
 */
export async function openLinePrice(
  connection: PricedConnection,
  { isDirect = false, day }: PriceOptions = {},
): Promise<LinePrice> {
  const { calcPrice } = await import("@pydantic/genai-prices");
  const factor = priceFactorOf(connection, isDirect);
  const provider = presetOf(connection).priceProvider;
  const toName = modelAt(connection);
  const rates = new Map<string, Rates | null>();

  function readRates(model: string): Rates | null {
    const { prices } = connection;
    if (prices !== null) return { input: prices.input, cached: prices.input, output: prices.output };
    return provider === null ? null : findRates(calcPrice, toName(model), provider, day);
  }

  return (model, tokens) => {
    let rate = rates.get(model);
    if (rate === undefined) {
      rate = readRates(model);
      rates.set(model, rate);
    }
    return rate && (priceTokens(tokens, rate) / million) * factor;
  };
}

const million = 1_000_000;

/** In US dollars for a million tokens; above some lengths of the prompt they may be others. */
type Rate = number | { readonly base: number; readonly tiers: readonly { start: number; price: number }[] };

interface Rates {
  readonly input: Rate;
  readonly cached: Rate;
  readonly output: Rate;
}

/** Null for a model that is not known there, or not paid by its tokens. */
function findRates(
  calculate: typeof calcPrice,
  model: string,
  providerId: string,
  timestamp: Date | undefined,
): Rates | null {
  const found = calculate({}, model, { providerId, ...(timestamp && { timestamp }) });
  const { input_mtok: input, cache_read_mtok: cached, output_mtok: output } = found?.model_price ?? {};
  if (input === undefined && output === undefined) return null;
  return { input: input ?? 0, cached: cached ?? input ?? 0, output: output ?? 0 };
}

/** The prompt of this one line decides on the prices of all its tokens. */
function priceTokens({ promptTokens, cachedTokens, completionTokens }: LineTokens, rates: Rates): number {
  const cached = Math.min(cachedTokens, promptTokens);
  return (
    (promptTokens - cached) * rateAt(rates.input, promptTokens) +
    cached * rateAt(rates.cached, promptTokens) +
    completionTokens * rateAt(rates.output, promptTokens)
  );
}

function rateAt(rate: Rate, promptTokens: number): number {
  if (typeof rate === "number") return rate;
  return rate.tiers.findLast(({ start }) => promptTokens > start)?.price ?? rate.base;
}
