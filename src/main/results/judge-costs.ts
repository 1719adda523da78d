import { monthOf } from "#contract";
import { createQueue, type Machine, type PriceRecord } from "#main/base";
import {
  createJudgeCallWriter,
  type JudgeCall,
  type JudgeFill,
  listJudgeMonths,
  type ReadJudgeFiles,
  readJudgeCalls,
  type Store,
} from "#main/storage";
import { createSum, type FindPrice, type JudgeCosts, type Sum } from "./judge-cost-sum.ts";
import type { Prices } from "./line-costs.ts";

/** Reads what models that judge cost. */
export interface JudgeCostReader {
  /**
   * Returns the costs of a month by day, connection and model. Reads only what was added since the last call. Counts unreadable
   * records in rows of their own, without a price.
   */
  read(month: string): Promise<JudgeCosts[]>;
  close(): Promise<void>;
}

interface CostReaderDeps {
  readonly dir: string;
  readonly durability: Store["durability"];
  readonly prices: {
    keep(record: PriceRecord): Promise<string>;
    read(id: string): Promise<PriceRecord | null>;
  };
  /** Today's prices. */
  readonly today: Prices | null;
  readonly machine: Pick<Machine, "wall" | "after">;
}

/** A month, as far as it was read. */
interface ReadMonth {
  readonly read: ReadJudgeFiles;
  readonly sums: Map<string, Sum>;
  readonly fills: Map<string, JudgeFill[]>;
  /** Lines that can't be read, by day. */
  readonly damaged: Map<string, number>;
  /** Whether a price was found that is nowhere on disk yet. */
  isUnstored: boolean;
}

/** The connection of lines that can't be read. */
const damagedRecords = { id: "", name: "Damaged records" };

/**
 * Gives each call without a price the first one that is found later, as batches do, and stores that beside the calls. A known
 * price never changes.
 */
export function createJudgeCostReader({ dir, durability, prices, today, machine }: CostReaderDeps): JudgeCostReader {
  const months = new Map<string, ReadMonth>();
  /** The connections whose calls wait for a price, by the past month. A call that is stored late waits until its month is read. */
  const waiting = new Map<string, ReadonlySet<string>>();
  const records = new Map<string, PriceRecord>();
  const writer = createJudgeCallWriter(dir, durability, machine);
  const inTurn = createQueue();

  // The first price that is set later counts, also where nobody reads costs before the next one is set.
  const stop = today?.subscribe((connection) => {
    const settleAll = async () => {
      const about = { models: [], isDirect: true, day: new Date(machine.wall()) };
      // A removed connection has no prices any more.
      if ((await today.find(connection, about)) === null) return;
      for (const month of listJudgeMonths(dir)) {
        if (waiting.get(month)?.has(connection) === false) continue;
        await readMonth(month, connection).catch(() => {});
      }
    };
    inTurn(settleAll).catch(() => {});
  });

  /** The first price that was found after a call; today's, where none was. Null where there is no price at all. */
  async function find(month: ReadMonth, fills: JudgeFill[], sum: Sum): Promise<FindPrice | null> {
    const last = sum.pending.reduce((latest, { at }) => Math.max(latest, at), 0);
    if (!fills.some(({ at }) => at >= last)) {
      const { day, connection, model } = sum.about;
      const when = { models: [model], isDirect: true, day: new Date(day) };
      const found = (await today?.find(connection.id, when).catch(() => null)) ?? null;
      if (found !== null && found.models.length > 0) {
        const kept = await prices.keep(found).catch(() => null);
        const id = kept ?? `not kept ${keyOf(day, { connection: connection.id, model })}`;
        records.set(id, found);
        const at = Math.max(machine.wall(), last);
        const fill: JudgeFill = { kind: "fill", at, day, connection: connection.id, model, prices: id };
        fills.push(fill);
        // What can't be written is looked up again by the next process.
        const stored = kept === null ? Promise.reject() : writer.append(fill);
        await stored.catch(() => {
          month.isUnstored = true;
        });
      }
    }
    if (fills.length === 0) return null;
    for (const { prices: id } of fills) {
      const record = records.get(id) ?? (await prices.read(id).catch(() => null));
      if (record !== null) records.set(id, record);
    }
    const inOrder = fills.toSorted((one, other) => one.at - other.at);
    return ({ at: answered }) => records.get(inOrder.find(({ at }) => at >= answered)?.prices ?? "") ?? null;
  }

  async function readMonth(month: string, changed?: string): Promise<JudgeCosts[]> {
    const known = months.get(month) ?? createReadMonth();
    const isPast = month < monthOf(machine.wall());
    if (changed === undefined || !isPast) months.set(month, known);
    const { read, sums, fills, damaged } = known;
    const torn = new Map<string, number>();
    await readJudgeCalls(dir, month, read, {
      onCall(call) {
        const day = new Date(call.at).toISOString().slice(0, 10);
        const key = keyOf(day, call);
        const sum = sums.get(key) ?? createSum(day, call);
        sums.set(key, sum);
        sum.add(call);
      },
      onFill(fill) {
        const key = keyOf(fill.day, fill);
        fills.set(key, [...(fills.get(key) ?? []), fill]);
      },
      onDamaged: (day) => damaged.set(day, (damaged.get(day) ?? 0) + 1),
      onTorn: (day) => torn.set(day, (torn.get(day) ?? 0) + 1),
    });
    for (const [key, sum] of sums) {
      if (sum.pending.length === 0 || (changed !== undefined && sum.about.connection.id !== changed)) continue;
      const own = fills.get(key) ?? [];
      fills.set(key, own);
      const priceOf = await find(known, own, sum);
      if (priceOf !== null) sum.settle(priceOf);
    }
    // A price that only this process has stays in memory.
    if (known.isUnstored) months.set(month, known);
    if (isPast) {
      const unpriced = [...sums.values()].filter(({ pending }) => pending.length > 0);
      waiting.set(month, new Set(unpriced.map(({ about }) => about.connection.id)));
    }
    const days = new Set([...damaged.keys(), ...torn.keys()]);
    const unread = Array.from(days, (day) => {
      const lines = (damaged.get(day) ?? 0) + (torn.get(day) ?? 0);
      return { ...noTokens, day, connection: damagedRecords, model: "", answers: lines, without_price: lines };
    });
    return [...Array.from(sums.values(), (sum) => sum.read()), ...unread];
  }

  return {
    read: (month) => inTurn(() => readMonth(month)),
    async close() {
      stop?.();
      await inTurn(() => writer.close()).catch(() => {});
    },
  };
}

const createReadMonth = (): ReadMonth => ({
  read: new Map(),
  sums: new Map(),
  fills: new Map(),
  damaged: new Map(),
  isUnstored: false,
});

const noTokens = { prompt_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, completion_tokens: 0, cost: null };

const keyOf = (day: string, { connection, model }: Pick<JudgeCall, "connection" | "model">) =>
  JSON.stringify([day, connection, model]);
