import { expect, test } from "vitest";
import { connectionSchema } from "#contract";
import type { BatchRecord } from "#service";
import { createBatchCosts, createPrices } from "./batch-costs.ts";

const connection = connectionSchema.parse({
  id: "conn_1",
  name: "OpenAI",
  preset: "openai",
  adapter: "openai-batch",
  url: "http://127.0.0.1/v1",
  prices: { input: 2, output: 10 },
  priceFactor: 1,
});
const batch = { id: "b", connection: "c", direct: false, counts: { total: 1, completed: 1, failed: 0 } } as BatchRecord;
const usage = [{ model: "m", lines: 1, promptTokens: 1_000_000, completionTokens: 0 }];

test("what could not be counted is counted again, and no listener is called for a failure", async () => {
  let isBroken = true;
  const answer = async <T>(value: T) => {
    if (isBroken) throw new Error("too many open files");
    return value;
  };
  const connections = { find: () => answer(connection), subscribe: () => () => {} };
  const api = { results: { usage: async () => usage } };
  const costs = createBatchCosts({ api, connections });
  const prices = createPrices(connections);
  const heard: string[] = [];
  costs.subscribe((id) => heard.push(id));

  expect(await costs.soon(batch)).toBeNull();
  expect(await prices.priceOf(batch)).toBeNull();
  isBroken = false;
  expect(await costs.soon(batch)).toEqual({ usd: 2, lines: 1 });
  expect((await prices.priceOf(batch))?.("m", 1_000, 0)).toBeCloseTo(0.002);

  isBroken = true;
  const more = { ...batch, counts: { ...batch.counts, completed: 2 } };
  // Until it can be counted again, it is what it was.
  expect(await costs.soon(more)).toEqual({ usd: 2, lines: 1 });
  expect(heard).toEqual([]);
});
