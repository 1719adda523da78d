import type { BatchView } from "#contract";
import type { BatchRecord } from "#service";
import { type BatchApi, type ConnectionStore, modelAt, priceTokens } from "../connections/index.ts";

/** What the answers of batches cost; counted anew only when there are more of them, or other prices. */
export type BatchCosts = (batch: BatchRecord) => Promise<BatchView["cost"]>;

interface CostParts {
  readonly api: Pick<BatchApi, "results">;
  readonly connections: Pick<ConnectionStore, "find" | "subscribe">;
}

export function createBatchCosts({ api, connections }: CostParts): BatchCosts {
  const counted = new Map<string, { readonly completed: number; readonly cost: Promise<BatchView["cost"]> }>();
  connections.subscribe(() => counted.clear());

  async function count(batchId: string, connectionId: string): Promise<BatchView["cost"]> {
    const connection = await connections.find(connectionId);
    if (connection === undefined) return null;
    const toName = modelAt(connection);
    const priced = (await api.results.usage(batchId)).flatMap(({ model, lines, ...tokens }) => {
      const usd = priceTokens(tokens, { connection, model: toName(model) });
      return usd === null ? [] : [{ usd, lines }];
    });
    if (priced.length === 0) return null;
    return priced.reduce((sum, { usd, lines }) => ({ usd: sum.usd + usd, lines: sum.lines + lines }));
  }

  return async ({ id, connection, counts: { completed } }) => {
    if (connection === null || completed === 0) return null;
    const known = counted.get(id);
    if (known?.completed === completed) return await known.cost;
    // A price that can't be worked out is no reason to hide the batch.
    const cost = count(id, connection).catch(() => null);
    counted.set(id, { completed, cost });
    return await cost;
  };
}
