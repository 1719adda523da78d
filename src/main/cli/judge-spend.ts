import { formatCost, formatCount } from "#contract";
import type { LinePrice } from "#main/results";
import type { AnswerBill } from "#main/storage";

/** A call of a model that was answered, with its tokens as far as the server counted them. */
export interface ModelCall {
  readonly model: string;
  readonly promptTokens: number | null;
  readonly cachedTokens: number;
  readonly completionTokens: number | null;
  readonly bill?: AnswerBill | undefined;
}

/** What a model that judges used. */
export interface Spend {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Calls whose tokens the server did not count. */
  readonly uncounted: number;
  /** In US dollars; null where no price is known. */
  readonly cost: number | null;
}

export const noSpend: Spend = { promptTokens: 0, completionTokens: 0, uncounted: 0, cost: null };

/** Adds up what calls used. `price`: null where none is known. */
export function createSpendMeter(price: LinePrice | null) {
  let spend: Spend = { ...noSpend, cost: price === null ? null : 0 };
  return {
    add({ model, promptTokens, cachedTokens, completionTokens, bill }: ModelCall): void {
      if (promptTokens === null || completionTokens === null) {
        spend = { ...spend, uncounted: spend.uncounted + 1 };
        return;
      }
      // The service knows best.
      const cost = bill?.cost ?? price?.(model, { promptTokens, cachedTokens, completionTokens, bill }) ?? null;
      spend = {
        ...spend,
        promptTokens: spend.promptTokens + promptTokens,
        completionTokens: spend.completionTokens + completionTokens,
        cost: spend.cost === null || cost === null ? null : spend.cost + cost,
      };
    },
    read: (): Spend => spend,
  };
}

/** `The model used 12,345 tokens for $0.12.`; says of how many calls that is not known. */
export function describeSpend({ promptTokens, completionTokens, uncounted, cost }: Spend): string {
  const paid = cost === null ? "" : ` for ${formatCost(cost)}`;
  const rest = uncounted === 0 ? "" : ` The server counted no tokens of ${formatCount(uncounted, "call")}.`;
  return `The model used ${formatCount(promptTokens + completionTokens, "token")}${paid}.${rest}`;
}

/** For `--json`: the tokens as MCP tools return them, and US dollars. */
export function toJsonSpend({ promptTokens, completionTokens, cost }: Spend) {
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  return { usage, cost };
}
