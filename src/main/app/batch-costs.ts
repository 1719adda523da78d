import type { BatchView, ResultDetail } from "#contract";
import type { BatchRecord } from "#service";
import { type BatchApi, type ConnectionStore, modelAt, priceTokens } from "../connections/index.ts";

/** What the answers of batches cost, without those that were taken over from others; counted anew only when there are more of them, or other prices. */
export type BatchCosts = (batch: BatchRecord) => Promise<BatchView["cost"]>;

interface CostParts {
  readonly api: Pick<BatchApi, "results">;
  readonly connections: Pick<ConnectionStore, "find" | "subscribe">;
}

export function createBatchCosts({ api, connections }: CostParts): BatchCosts {
  const counted = new Map<string, { readonly state: string; readonly cost: Promise<BatchView["cost"]> }>();
  connections.subscribe(() => counted.clear());

  async function count({ id, reused, copied }: BatchRecord, connectionId: string): Promise<BatchView["cost"]> {
    const connection = await connections.find(connectionId);
    if (connection === undefined) return null;
    const toName = modelAt(connection);
    const taken = [...(reused?.usage ?? []), ...(copied?.usage ?? [])];
    const priced = (await api.results.usage(id)).flatMap(({ model, lines, ...tokens }) => {
      const free = taken.filter((usage) => usage.model === model);
      const paid = {
        promptTokens: tokens.promptTokens - sum(free.map(({ promptTokens }) => promptTokens)),
        completionTokens: tokens.completionTokens - sum(free.map(({ completionTokens }) => completionTokens)),
      };
      const usd = priceTokens(paid, { connection, model: toName(model) });
      return usd === null ? [] : [{ usd, lines }];
    });
    if (priced.length === 0) return null;
    return priced.reduce((sum, { usd, lines }) => ({ usd: sum.usd + usd, lines: sum.lines + lines }));
  }

  return async (batch) => {
    const { id, connection, counts, reused, copied } = batch;
    if (connection === null || counts.completed === 0) return null;
    const state = [counts.completed, reused?.lines, copied?.lines].join(" ");
    const known = counted.get(id);
    if (known?.state === state) return await known.cost;
    // A price that can't be worked out is no reason to hide the batch.
    const cost = count(batch, connection).catch(() => null);
    counted.set(id, { state, cost });
    return await cost;
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** What the tokens of a line cost, in US dollars; null where they or the price are not known. */
export type LinePrice = (line: Pick<ResultDetail, "model" | "promptTokens" | "completionTokens">) => number | null;

/** Answers with the prices of a batch's lines as they are now. */
export function createLinePrices(connections: Pick<ConnectionStore, "find">) {
  return async ({ connection: id }: Pick<BatchRecord, "connection">): Promise<LinePrice> => {
    const connection = id === null ? undefined : await connections.find(id);
    if (connection === undefined) return () => null;
    const toName = modelAt(connection);
    return ({ model, promptTokens, completionTokens }) =>
      promptTokens === null || completionTokens === null
        ? null
        : priceTokens({ promptTokens, completionTokens }, { connection, model: toName(model) });
  };
}
