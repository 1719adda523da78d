import { createQueue, fillPrices, type PriceRecord } from "#main/base";
import type { BatchRecord, Store, StoredFolder } from "#main/storage";
import type { LinePrice, Prices } from "./line-costs.ts";
import { createRecordPrice } from "./record-price.ts";

/** The prices of batches: those that are kept with them. */
export interface BatchPrices {
  /** The same as long as no price changes; null where none is known. */
  priceOf(batch: BatchRecord): Promise<LinePrice | null>;
  close(): void;
}

interface BatchPricesDeps {
  readonly readable: StoredFolder;
  readonly store: Pick<Store, "batches" | "prices">;
  /** Today's prices; null where there are none. */
  readonly prices: Prices | null;
}

/**
 * Fills a price that was unknown when the batch was made with the first one found later. A known price never changes. Today's
 * prices apply to batches that kept none, and to missing prices of batches in other data folders.
 */
export function createBatchPrices({ readable, store, prices }: BatchPricesDeps): BatchPrices {
  /** Of records nothing is changed ever. */
  const records = new Map<string, PriceRecord>();
  /** By what they are made of. */
  const made = new Map<string, LinePrice>();
  /** What today's prices have, until the connection is changed. */
  const found = new Map<string, Promise<PriceRecord | null>>();
  const inTurn = createQueue();

  const stop = prices?.subscribe((connectionId) => {
    for (const key of found.keys()) if (key.startsWith(`${connectionId} `)) found.delete(key);
    // Of several prices that are given later the first one counts, whether or not the batch is looked at meanwhile.
    for (const batch of store.batches.list()) {
      if (batch.connection === connectionId && batch.prices !== null) priceOf(batch).catch(() => {});
    }
  });

  /** Today's prices of some of its models. */
  async function look(batch: BatchRecord, models: readonly string[]): Promise<PriceRecord | null> {
    const { connection, direct: isDirect, times } = batch;
    if (connection === null || prices === null || models.length === 0) return null;
    const day = new Date(times.created).toISOString().slice(0, 10);
    const key = `${connection} ${isDirect} ${day} ${JSON.stringify(models)}`;
    const record = found.get(key) ?? prices.find(connection, { models, isDirect, day: new Date(day) });
    found.set(key, record);
    const today = await record.catch(() => null);
    // What could not be read, or has not all prices, is read again the next time: another process may have given one.
    const isWhole = today !== null && models.every((name) => today.models.some((one) => one.name === name));
    if (!isWhole && found.get(key) === record) found.delete(key);
    return today;
  }

  function make({ models }: BatchRecord, record: PriceRecord | null, isToday: boolean): LinePrice | null {
    if (record === null) return null;
    const key = `${isToday} ${JSON.stringify([models, record])}`;
    const price = made.get(key) ?? createRecordPrice(record, { isToday, asked: models });
    made.set(key, price);
    return price;
  }

  const listMissing = ({ models }: BatchRecord, record: PriceRecord) => {
    const known = new Set(record.models.map(({ name }) => name));
    return models.filter((name) => !known.has(name));
  };

  /** `isToday`: the prices that were filled in are not stored, and follow the connection. */
  async function fill(batch: BatchRecord, record: PriceRecord): Promise<{ filled: PriceRecord; isToday: boolean }> {
    const later = await look(batch, listMissing(batch, record));
    if (later === null || later.models.length === 0) return { filled: record, isToday: false };
    const filled = fillPrices(record, later);
    // One of another data folder is filled there.
    if (store.batches.get(batch.id) === undefined) return { filled, isToday: true };
    const id = await store.prices.keep(filled).catch(() => null);
    // What can't be kept now is kept the next time.
    if (id === null) return { filled, isToday: true };
    records.set(id, filled);
    const now = store.batches.get(batch.id);
    if (now?.prices === batch.prices) store.batches.put({ ...now, prices: id });
    return { filled, isToday: false };
  }

  async function readRecord({ id, prices: named }: BatchRecord): Promise<PriceRecord | null> {
    if (named === null) return null;
    const record = records.get(named) ?? (await readable.pricesOf(id, named));
    if (record !== null) records.set(named, record);
    return record;
  }

  async function priceOf(given: BatchRecord): Promise<LinePrice | null> {
    if (given.connection === null) return null;
    const batch = readable.batches.get(given.id) ?? given;
    const record = await readRecord(batch);
    if (record === null) return make(batch, await look(batch, batch.models), true);
    if (listMissing(batch, record).length === 0) return make(batch, record, false);
    return await inTurn(async () => {
      const now = readable.batches.get(given.id) ?? given;
      const { filled, isToday } = await fill(now, (await readRecord(now)) ?? record);
      return make(now, filled, isToday);
    });
  }

  return { priceOf, close: () => stop?.() };
}
