import { calcPrice } from "@pydantic/genai-prices";
import type { Connection } from "#contract";
import { presetOf } from "../connection.ts";

/** Tokens that something took or may take. */
export interface TokenUse {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** How a model is paid for at a connection. */
export interface PriceSource {
  readonly connection: Pick<Connection, "preset" | "adapter" | "prices" | "priceFactor">;
  /** As the service calls it. */
  readonly model: string;
  /** Calls made one by one cost the whole price, also where batches cost less. */
  readonly isDirect?: boolean;
}

const million = 1_000_000;

/**
 * What tokens cost, in US dollars: by the prices that the user typed, else by those under the preset's own provider. Null
 * where no price is known; it is never guessed from a model's name alone.
 */
export function priceTokens({ promptTokens, completionTokens }: TokenUse, source: PriceSource): number | null {
  const { connection, model } = source;
  const preset = presetOf(connection);
  const factor = priceFactorOf(source);
  const { prices } = connection;
  if (prices !== null) return ((promptTokens * prices.input + completionTokens * prices.output) / million) * factor;
  if (preset.priceProvider === null) return null;
  const usage = { input_tokens: promptTokens, output_tokens: completionTokens };
  const price = calcPrice(usage, model, { providerId: preset.priceProvider });
  return price === null ? null : price.total_price * factor;
}

/** What a call costs beside a direct one. */
export function priceFactorOf({ connection, isDirect = false }: Pick<PriceSource, "connection" | "isDirect">): number {
  if (isDirect || connection.adapter === "chat") return 1;
  return connection.priceFactor ?? presetOf(connection).priceFactor ?? 1;
}

/** The day on which the prices were published that the app was built with. */
export const pricesDate = "2026-09-23";

/** The tokens of a job: prompts counted or estimated, answers as far as they are known. */
export interface JobTokens {
  readonly lines: number;
  readonly promptTokens: number;
  /** Of an answer of the trial, on average; null without a trial. */
  readonly usualAnswer: number | null;
  /** The most that an answer may have; null where the requests set no limit. */
  readonly longestAnswer: number | null;
}

/** In US dollars: of the prompts alone, with the usual answers, and with the longest ones. */
export interface JobCost {
  readonly prompts: number;
  readonly about: number | null;
  readonly most: number | null;
}

/** What several jobs may cost together; null where the price of one is not known. */
export function sumCosts(costs: readonly (JobCost | null)[]): JobCost | null {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return costs.reduce<JobCost | null>(
    (total, cost) =>
      total &&
      cost && {
        prompts: total.prompts + cost.prompts,
        about: sum(total.about, cost.about),
        most: sum(total.most, cost.most),
      },
    { prompts: 0, about: 0, most: 0 },
  );
}

/** What a job may cost before it is sent; null where no price is known. */
export function estimateCost(
  { lines, promptTokens, usualAnswer, longestAnswer }: JobTokens,
  source: PriceSource,
): JobCost | null {
  const price = (completionTokens: number) => priceTokens({ promptTokens, completionTokens }, source);
  const prompts = price(0);
  if (prompts === null) return null;
  return {
    prompts,
    about: usualAnswer === null ? null : price(usualAnswer * lines),
    most: longestAnswer === null ? null : price(longestAnswer * lines),
  };
}
