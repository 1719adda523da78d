import { calcPrice } from "@pydantic/genai-prices";
import type { Connection } from "#contract";
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
