import type { BatchView } from "#contract";
import type { Machine } from "#main/base";
import type { BatchRecord } from "#main/storage";
import type { BatchPrices } from "./batch-prices.ts";
import type { IndexCache } from "./index-cache.ts";
import {
  type CostSum,
  createCostSum,
  createLineCosts,
  type LineCosts,
  type LinePrice,
  type ModelCosts,
  splitByModel,
} from "./line-costs.ts";
import type { LineIndex } from "./line-index.ts";

/** What the lines of a batch cost, null where no price is known. */
type Cost = BatchView["cost"];

/** What the answers of batches cost: the sum of their lines. */
export interface BatchCosts {
  /** Null where no price is known. */
  of(batch: BatchRecord): Promise<Cost>;
  /** The same, or what was counted last (at first nothing) where that takes longer than a page should wait. */
  ofWithin(batch: BatchRecord): Promise<Cost>;
  /** By the model; none for a batch whose answers cost nothing. */
  byModel(batch: BatchRecord): Promise<readonly ModelCosts[]>;
  /** Calls the listener once what `ofWithin` did not wait for has been counted. Returns a function that stops it. */
  subscribe(listener: (batchId: string) => void): () => void;
}

/** The same with what the lines of one index cost, for those that read lines. */
export interface Costs extends BatchCosts {
  ofLines(batch: BatchRecord, index: LineIndex): Promise<LineCosts | null>;
  /** What some lines cost together, by their numbers; null where no price is known. */
  ofSome(batch: BatchRecord, index: LineIndex, lines: Uint32Array): Promise<Cost>;
}

interface Counted {
  readonly price: LinePrice;
  /** How many answers it is of, by what became of them; null once it failed, so that the next call counts anew. */
  answers: string | null;
  readonly cost: Promise<Cost>;
  /** What was counted last. */
  last: Cost;
  isDone: boolean;
  /** A page was shown without it. */
  isLate: boolean;
}

interface IndexCosts {
  readonly price: LinePrice;
  readonly lines: LineCosts;
  readonly sum: () => CostSum;
}

/** What became of its answers: another one, other costs. */
function countsKey({ counts: { completed, failed, reused = 0 } }: BatchRecord): string {
  return [completed, failed, reused].join(" ");
}

const noPrice: LinePrice = () => null;

/** How long `ofWithin` waits at most, in milliseconds. */
const timeout = 300;

interface CostDeps {
  readonly indexes: Pick<IndexCache, "get">;
  readonly readPrices: () => Pick<BatchPrices, "priceOf">;
  readonly machine: Pick<Machine, "after">;
}

/** A batch is counted again when it has more answers, or other prices; then only the lines that were not counted yet. */
export function createBatchCosts({ indexes, readPrices, machine }: CostDeps): Costs {
  const known = new Map<string, Counted>();
  const ofIndexes = new WeakMap<LineIndex, IndexCosts>();
  const split = new Map<string, { price: LinePrice; answers: string; costs: Promise<readonly ModelCosts[]> }>();
  const listeners = new Set<(batchId: string) => void>();

  /** Without prices, what was reused, or priced by its service itself, still has a cost. */
  const findPrice = async (batch: BatchRecord) =>
    (await readPrices()
      .priceOf(batch)
      .catch(() => null)) ?? noPrice;

  function openIndex({ models }: BatchRecord, index: LineIndex, price: LinePrice): IndexCosts {
    const before = ofIndexes.get(index);
    if (before?.price === price) return before;
    const lines = createLineCosts(index, models, price);
    const costs = { price, lines, sum: createCostSum(index, models, price) };
    ofIndexes.set(index, costs);
    return costs;
  }

  async function count(batch: BatchRecord, price: LinePrice): Promise<Cost> {
    return toCost(openIndex(batch, await indexes.get(batch), price).sum());
  }

  function toCost({ reused, ...sum }: CostSum): Cost {
    // Of nothing but reused answers it is known that they cost nothing; next to ones without a price that tells nothing.
    const isKnown = sum.usd > 0 || sum.lines > reused || (sum.lines > 0 && sum.unknown === 0);
    return isKnown ? sum : null;
  }

  /** Null for a batch whose answers cost nothing. */
  async function open(batch: BatchRecord): Promise<Counted | null> {
    const { id, connection, counts } = batch;
    // A failed line may have cost, too: its service counted the tokens.
    if (connection === null || counts.completed + counts.failed === 0) return null;
    const answers = countsKey(batch);
    const price = await findPrice(batch);
    const before = known.get(id);
    if (before?.price === price && before.answers === answers) return before;
    const counting = count(batch, price);
    // A price that can't be worked out is no reason to hide the batch.
    const cost = counting.catch(() => null);
    const last = before?.price === price ? before.last : null;
    const counted: Counted = { price, answers, cost, last, isDone: false, isLate: false };
    known.set(id, counted);
    counting.then(
      (found) => {
        Object.assign(counted, { last: found, isDone: true });
        if (counted.isLate) for (const listener of listeners) listener(id);
      },
      // Listeners are not called: they would ask at once, and again after each failure.
      () => Object.assign(counted, { answers: null, isDone: true }),
    );
    return counted;
  }

  return {
    of: async (batch) => (await (await open(batch))?.cost) ?? null,
    async ofWithin(batch) {
      const counted = await open(batch);
      if (counted === null) return null;
      if (!counted.isDone) {
        const late = Promise.withResolvers<void>();
        const cancel = machine.after(timeout, late.resolve, { unref: true });
        await Promise.race([counted.cost, late.promise]);
        cancel();
      }
      if (!counted.isDone) counted.isLate = true;
      return counted.last;
    },
    async byModel(batch) {
      if (batch.connection === null) return [];
      const answers = countsKey(batch);
      const price = await findPrice(batch);
      const before = split.get(batch.id);
      if (before?.price === price && before.answers === answers) return await before.costs;
      const costs = indexes.get(batch).then((index) => splitByModel(index, batch.models, price));
      split.set(batch.id, { price, answers, costs });
      costs.catch(() => split.delete(batch.id));
      return await costs;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async ofLines(batch, index) {
      if (batch.connection === null) return null;
      return openIndex(batch, index, await findPrice(batch)).lines;
    },
    async ofSome(batch, index, lines) {
      if (lines.length === index.total) return (await (await open(batch))?.cost) ?? null;
      if (batch.connection === null || lines.length === 0) return null;
      return toCost(createCostSum(index, batch.models, await findPrice(batch), lines)());
    },
  };
}
