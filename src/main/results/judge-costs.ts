import { type CostRow, monthOf } from "#contract";
import { type Connections, createQueue, type Logger, type Machine, type PriceRecord } from "#main/base";
import {
  type AnswerBill,
  createJudgeCallWriter,
  type JudgeCall,
  type JudgeFill,
  listJudgeMonths,
  type ReadJudgeFiles,
  readJudgeCalls,
  type Store,
} from "#main/storage";
import { createExactSum, type LineTokens, type Prices } from "./line-costs.ts";
import { createRecordPrice } from "./record-price.ts";

/** An answered call of a model that judges: its tokens, as far as its service counted them. */
export interface AnsweredCall {
  readonly connectionId: string;
  readonly model: string;
  readonly promptTokens: number | null;
  readonly cachedTokens: number;
  readonly completionTokens: number | null;
  readonly bill?: AnswerBill | undefined;
}

/** What models that judge on a connection were asked in a month on one day. */
export interface JudgeCosts extends Omit<CostRow, "connection" | "kind"> {
  readonly connection: { readonly id: string; readonly name: string };
}

/** What models that judge and grade cost, in all that judges: each call has the price of its time. */
export interface JudgeSpending {
  /** Resolves when it is stored, or can't be stored now: then it is tried again after a while. */
  note(call: AnsweredCall): Promise<void>;
  /** Stores what is left. The log tells how much of it the disk refused. */
  close(): Promise<void>;
}

interface SpendingDeps {
  readonly dir: string;
  readonly durability: Store["durability"];
  readonly prices: Store["prices"];
  readonly describeConnection: Connections["describe"] | undefined;
  readonly machine: Pick<Machine, "wall" | "monotonic" | "after">;
  readonly logger: Logger;
}

/** How long the log is silent after it told that the disk refuses, in milliseconds. */
const warnInterval = 60_000;

/** Keeps what calls used, and cost, in a data folder. */
export function createJudgeSpending({
  dir,
  durability,
  prices,
  describeConnection,
  machine,
  logger,
}: SpendingDeps): JudgeSpending {
  const writer = createJudgeCallWriter(dir, durability, machine);
  let warnedAt = Number.NEGATIVE_INFINITY;

  function warn(error: unknown): void {
    const now = machine.monotonic();
    if (now - warnedAt < warnInterval) return;
    warnedAt = now;
    const details = { calls: writer.unwritten, error: String(error) };
    logger.warn("The usage of judge models is not stored yet", details);
  }

  async function price({ connectionId, model, ...call }: AnsweredCall, at: number) {
    const day = new Date(at);
    const found = await describeConnection?.(connectionId, { models: [model], isDirect: true, day }).catch(() => null);
    const connectionName = found?.name ?? "Removed connection";
    const known = found != null && found.prices.models.length > 0 ? found.prices : null;
    const record = known && (await prices.keep(known).catch(() => null));
    const cost = costOf(model, call, known);
    return { connectionName, cost, prices: record };
  }

  return {
    async note(call) {
      const at = machine.wall();
      const { connectionId: connection, model, promptTokens, cachedTokens, completionTokens, bill } = call;
      const used = {
        model,
        promptTokens,
        cachedTokens,
        completionTokens,
        cacheWriteTokens: bill?.cacheWriteTokens ?? 0,
        cacheWrite1hTokens: bill?.cacheWrite1hTokens ?? 0,
        tier: bill?.tier ?? null,
      };
      try {
        await writer.append({ at, connection, ...used, ...(await price(call, at)) });
      } catch (error) {
        warn(error);
      }
    },
    async close() {
      try {
        await writer.close();
      } catch (error) {
        const details = { calls: writer.unwritten, error: String(error) };
        logger.warn("The usage of judge models could not be stored", details);
      }
    },
  };
}

/** What one call cost; null where no price is known, or its tokens were not counted. */
function costOf(
  model: string,
  { promptTokens, completionTokens, ...rest }: Omit<AnsweredCall, "connectionId" | "model">,
  prices: PriceRecord | null,
): number | null {
  // The service knows best.
  if (rest.bill?.cost != null) return rest.bill.cost;
  if (prices === null || promptTokens === null || completionTokens === null) return null;
  const tokens: LineTokens = { ...rest, promptTokens, completionTokens };
  return createRecordPrice(prices)(model, tokens);
}

/** Reads what models that judge cost. */
export interface JudgeCostReader {
  /**
   * In a month, by day, connection and model. Of a month that was read before only what is new is read. What can't be read is a row of its
   * own, without a price.
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
 * A call that had no price gets the first one that is found later, as a batch does: it is written down next to the calls. A known price
 * never changes.
 */
export function createJudgeCostReader({ dir, durability, prices, today, machine }: CostReaderDeps): JudgeCostReader {
  const months = new Map<string, ReadMonth>();
  /** The connections whose calls wait for a price, by the past month. A call that is stored late waits until its month is read. */
  const waiting = new Map<string, ReadonlySet<string>>();
  const records = new Map<string, PriceRecord>();
  const writer = createJudgeCallWriter(dir, durability, machine);
  const inTurn = createQueue();

  // Of several prices that are given later the first one counts, whether or not anybody looks meanwhile.
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

type Sum = ReturnType<typeof createSum>;

/** What the price of a call depends on: it stays in memory until one is found. */
interface PendingCall
  extends Pick<JudgeCall, "at" | "cachedTokens" | "cacheWriteTokens" | "cacheWrite1hTokens" | "tier"> {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

type FindPrice = (call: PendingCall) => PriceRecord | null;

function createSum(day: string, { connection, connectionName: name, model }: JudgeCall) {
  const usd = createExactSum();
  let [answers, prompt, cached, written, completion, missing] = [0, 0, 0, 0, 0, 0];
  /** Calls whose price may be given later. */
  let pending: PendingCall[] = [];
  const about = { day, connection: { id: connection, name }, model };
  function count(cost: number | null): void {
    if (cost === null) missing += 1;
    else usd.add(cost);
  }
  return {
    about,
    get pending(): readonly PendingCall[] {
      return pending;
    },
    add(call: JudgeCall): void {
      answers += 1;
      prompt += call.promptTokens ?? 0;
      cached += call.cachedTokens;
      written += call.cacheWriteTokens;
      completion += call.completionTokens ?? 0;
      const { at, promptTokens, cachedTokens, completionTokens, cacheWriteTokens, cacheWrite1hTokens, tier } = call;
      const isUnpriced = call.cost === null && call.prices === null;
      if (isUnpriced && promptTokens !== null && completionTokens !== null) {
        pending.push({ at, promptTokens, cachedTokens, completionTokens, cacheWriteTokens, cacheWrite1hTokens, tier });
      } else count(call.cost);
    },
    /** Prices what has none, as far as a price is found. */
    settle(priceOf: FindPrice): void {
      pending = pending.filter((call) => {
        const record = priceOf(call);
        if (record === null) return true;
        const { cacheWriteTokens, cacheWrite1hTokens, tier } = call;
        const bill = { cacheWriteTokens, cacheWrite1hTokens, tier, cost: null };
        count(costOf(model, { ...call, bill }, record));
        return false;
      });
    },
    read(): JudgeCosts {
      const unknown = missing + pending.length;
      return {
        ...about,
        answers,
        prompt_tokens: prompt,
        cached_tokens: cached,
        cache_write_tokens: written,
        completion_tokens: completion,
        cost: unknown === answers ? null : usd.value(),
        without_price: unknown,
      };
    },
  };
}
