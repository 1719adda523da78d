import type { ModelPrice } from "#main/base";
import { createRecordPrice, type LinePrice } from "#main/results";
import { findModelPrice, loadPriceList, type PricedConnection } from "./model-price.ts";

interface PriceOptions {
  /** Calls made one by one cost the whole price, also where batches cost less. */
  readonly isDirect?: boolean;
  /** When the lines are asked: prices change. Default: now. */
  readonly day?: Date;
}

/** Prices the lines of a connection before they are sent, one at a time. Null where no price is known. */
export async function openLinePrice(
  connection: PricedConnection,
  { isDirect = false, day }: PriceOptions = {},
): Promise<LinePrice> {
  const list = await loadPriceList();
  const prices = new Map<string, LinePrice>();
  const find = (name: string): LinePrice => {
    const known = prices.get(name);
    if (known !== undefined) return known;
    const found: ModelPrice | null = findModelPrice(connection, name, { isDirect, day, list });
    const price = createRecordPrice({ version: 1, models: found === null ? [] : [found] });
    prices.set(name, price);
    return price;
  };
  return Object.assign((name: string, tokens: Parameters<LinePrice>[1]) => find(name)(name, tokens), {
    isCeiling: (name: string) => find(name).isCeiling?.(name) ?? false,
  });
}
