import type { CostRow } from "#contract";
import type { PriceRecord } from "#main/base";
import type { AnswerBill, JudgeCall } from "#main/storage";
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

/** What one call cost; null where no price is known, or its tokens were not counted. */
export function costOf(
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

export type Sum = ReturnType<typeof createSum>;

/** What the price of a call depends on: it stays in memory until one is found. */
interface PendingCall
  extends Pick<JudgeCall, "at" | "cachedTokens" | "cacheWriteTokens" | "cacheWrite1hTokens" | "tier"> {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type FindPrice = (call: PendingCall) => PriceRecord | null;

/** Adds up the calls of a model on one day. */
export function createSum(day: string, { connection, connectionName: name, model }: JudgeCall) {
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
