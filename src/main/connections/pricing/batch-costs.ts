import { setTimeout as sleep } from "node:timers/promises";
import type { BatchView, Connection } from "#contract";
import type { BatchRecord, LinePrice, Prices } from "#service";
import type { BatchApi } from "../batch-api.ts";
import { modelAt } from "../connection.ts";
import type { ConnectionStore } from "../connection-store.ts";
import { priceTokens } from "./cost.ts";

type Cost = BatchView["cost"];

/** What the answers of batches cost, without those that were taken over from others; counted anew only when there are more of them, or other prices. */
export interface BatchCosts {
  /** Null where no price is known. */
  of(batch: BatchRecord): Promise<Cost>;
  /** The same, or what was counted last (at first nothing) where that takes longer than a page should wait. */
  soon(batch: BatchRecord): Promise<Cost>;
  /** Calls the listener once what `soon` did not wait for has been counted. The answer stops it. */
  subscribe(listener: (batchId: string) => void): () => void;
}

interface Counted {
  /** How many answers it is of; null once it failed, so that it is counted again when somebody asks. */
  state: string | null;
  readonly cost: Promise<Cost>;
  /** What was counted last. */
  last: Cost;
  isDone: boolean;
  /** Somebody went on without it. */
  isLate: boolean;
}

/** How long `soon` takes at most, in milliseconds. */
const patience = 300;

interface CostParts {
  readonly api: { readonly results: Pick<BatchApi["results"], "usage"> };
  readonly connections: Pick<ConnectionStore, "find" | "subscribe">;
}

export function createBatchCosts({ api, connections }: CostParts): BatchCosts {
  const known = new Map<string, Counted>();
  const listeners = new Set<(batchId: string) => void>();
  connections.subscribe(() => known.clear());

  async function count({ id, direct, reused, copied }: BatchRecord, connectionId: string): Promise<Cost> {
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
      const usd = priceTokens(paid, { connection, model: toName(model), isDirect: direct });
      return usd === null ? [] : [{ usd, lines }];
    });
    if (priced.length === 0) return null;
    return priced.reduce((sum, { usd, lines }) => ({ usd: sum.usd + usd, lines: sum.lines + lines }));
  }

  /** Null for a batch whose answers cost nothing. */
  function open(batch: BatchRecord): Counted | null {
    const { id, connection, counts, reused, copied } = batch;
    if (connection === null || counts.completed === 0) return null;
    const state = [counts.completed, reused?.lines, copied?.lines].join(" ");
    const before = known.get(id);
    if (before?.state === state) return before;
    const counting = count(batch, connection);
    // A price that can't be worked out is no reason to hide the batch.
    const cost = counting.catch(() => null);
    const counted: Counted = { state, cost, last: before?.last ?? null, isDone: false, isLate: false };
    known.set(id, counted);
    counting.then(
      (found) => {
        Object.assign(counted, { last: found, isDone: true });
        if (counted.isLate) for (const listener of listeners) listener(id);
      },
      // Nobody is told: they would ask at once, and again after each failure.
      () => Object.assign(counted, { state: null, isDone: true }),
    );
    return counted;
  }

  return {
    of: async (batch) => (await open(batch)?.cost) ?? null,
    async soon(batch) {
      const counted = open(batch);
      if (counted === null) return null;
      if (!counted.isDone) await Promise.race([counted.cost, sleep(patience, undefined, { ref: false })]);
      if (!counted.isDone) counted.isLate = true;
      return counted.last;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The prices at which the lines of batches are counted, by their connections. */
export function createPrices(connections: CostParts["connections"]): Prices {
  const known = new Map<string, Promise<LinePrice | null>>();
  connections.subscribe(() => known.clear());

  async function open(connectionId: string, direct: boolean): Promise<LinePrice | null> {
    const connection = await connections.find(connectionId);
    return connection === undefined ? null : createLinePrice(connection, direct);
  }

  return {
    async priceOf({ connection, direct }) {
      if (connection === null) return null;
      const name = `${connection} ${direct}`;
      const price = known.get(name) ?? open(connection, direct);
      known.set(name, price);
      // What could not be read is read again when it is asked for the next time.
      return await price.catch(() => {
        if (known.get(name) === price) known.delete(name);
        return null;
      });
    },
  };
}

/** From so many tokens of a prompt on, some models cost more: such a line is priced by itself. */
const longPrompt = 100_000;
const sampleTokens = 1_000;

function createLinePrice(connection: Connection, direct: boolean): LinePrice {
  const toName = modelAt(connection);
  const rates = new Map<string, ReturnType<typeof readRates>>();
  const priceOf = (model: string, promptTokens: number, completionTokens: number) =>
    priceTokens({ promptTokens, completionTokens }, { connection, model: toName(model), isDirect: direct });

  /** In US dollars a token. */
  function readRates(model: string) {
    const [prompt, completion] = [priceOf(model, sampleTokens, 0), priceOf(model, 0, sampleTokens)];
    if (prompt === null || completion === null) return null;
    return { prompt: prompt / sampleTokens, completion: completion / sampleTokens };
  }

  return (model, promptTokens, completionTokens) => {
    if (promptTokens >= longPrompt) return priceOf(model, promptTokens, completionTokens);
    let rate = rates.get(model);
    if (rate === undefined) {
      rate = readRates(model);
      rates.set(model, rate);
    }
    return rate && promptTokens * rate.prompt + completionTokens * rate.completion;
  };
}
