import { type CostRow, monthOf } from "#contract";
import { type Connections, createQueue, type Logger, type Machine } from "#main/base";
import { type AnswerBill, createJudgeCallWriter, type JudgeCall, readJudgeCalls, type Store } from "#main/storage";
import { createExactSum, type LineTokens } from "./line-costs.ts";
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
  prices: Parameters<typeof createRecordPrice>[0] | null,
): number | null {
  // The service knows best.
  if (rest.bill?.cost != null) return rest.bill.cost;
  if (prices === null || promptTokens === null || completionTokens === null) return null;
  const tokens: LineTokens = { ...rest, promptTokens, completionTokens };
  return createRecordPrice(prices)(model, tokens);
}

/** Reads what models that judge cost in a month, by day, connection and model. Of a month that was read before only what is new is read. */
export function createJudgeCostReader(dir: string): (month: string) => Promise<JudgeCosts[]> {
  const months = new Map<string, { readonly read: Map<string, number>; readonly sums: Map<string, Sum> }>();
  const inTurn = createQueue();
  return (month) =>
    inTurn(async () => {
      const known = months.get(month) ?? { read: new Map(), sums: new Map() };
      months.set(month, known);
      await readJudgeCalls(dir, month, known.read, (call) => {
        // Of a file of another month, or with a time that no file of this month has.
        if (monthOf(call.at) !== month) return;
        const day = new Date(call.at).toISOString().slice(0, 10);
        const key = JSON.stringify([day, call.connection, call.model]);
        const sum = known.sums.get(key) ?? createSum(day, call);
        known.sums.set(key, sum);
        sum.add(call);
      });
      return Array.from(known.sums.values(), (sum) => sum.read());
    });
}

type Sum = ReturnType<typeof createSum>;

function createSum(day: string, { connection, connectionName: name, model }: JudgeCall) {
  const usd = createExactSum();
  let [answers, prompt, cached, written, completion, missing] = [0, 0, 0, 0, 0, 0];
  return {
    add(call: JudgeCall): void {
      answers += 1;
      prompt += call.promptTokens ?? 0;
      cached += call.cachedTokens;
      written += call.cacheWriteTokens;
      completion += call.completionTokens ?? 0;
      if (call.cost === null) missing += 1;
      else usd.add(call.cost);
    },
    read: (): JudgeCosts => ({
      day,
      connection: { id: connection, name },
      model,
      answers,
      prompt_tokens: prompt,
      cached_tokens: cached,
      cache_write_tokens: written,
      completion_tokens: completion,
      cost: missing === answers ? null : usd.value(),
      without_price: missing,
    }),
  };
}
