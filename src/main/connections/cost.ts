import { calcPrice } from "@pydantic/genai-prices";
import type { Connection } from "./connection.ts";
import { presetOf } from "./connection.ts";

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
  const { connection, model, isDirect = connection.adapter === "chat" } = source;
  const preset = presetOf(connection);
  const factor = isDirect ? 1 : (connection.priceFactor ?? preset.priceFactor ?? 1);
  const { prices } = connection;
  if (prices !== null) return ((promptTokens * prices.input + completionTokens * prices.output) / million) * factor;
  if (preset.priceProvider === null) return null;
  const usage = { input_tokens: promptTokens, output_tokens: completionTokens };
  const price = calcPrice(usage, model, { providerId: preset.priceProvider });
  return price === null ? null : price.total_price * factor;
}

/** What a job may cost before it is sent, in US dollars. */
export interface CostEstimate {
  /** By the answers of the trial; null without one. */
  readonly about: number | null;
  /** If every answer takes as many tokens as it may; null where there is no such limit. */
  readonly most: number | null;
}

/** The tokens of a job: prompts counted or estimated, answers as far as they are known. */
export interface JobTokens {
  readonly lines: number;
  readonly promptTokens: number;
  /** Of an answer of the trial, on average; null without a trial. */
  readonly usualAnswer: number | null;
  /** The most that an answer may have; null where the requests set no limit. */
  readonly longestAnswer: number | null;
}

/** Null where no price is known. */
export function estimateCost(
  { lines, promptTokens, usualAnswer, longestAnswer }: JobTokens,
  source: PriceSource,
): CostEstimate | null {
  const price = (answer: number | null) =>
    answer === null ? null : priceTokens({ promptTokens, completionTokens: answer * lines }, source);
  if (priceTokens({ promptTokens: 0, completionTokens: 0 }, source) === null) return null;
  return { about: price(usualAnswer), most: price(longestAnswer) };
}
