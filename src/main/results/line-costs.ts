import type { BatchRecord } from "#main/storage";
import { unknownTokens } from "./fact-columns.ts";
import { isInOutput, type LineIndex, reusedTime, waitingState } from "./line-index.ts";

/** The tokens of one line. */
export interface LineTokens {
  readonly promptTokens: number;
  /** Those of the prompt that the service had in its cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** What a line costs that was asked of a model, in US dollars; null where no price is known. */
export type LinePrice = (model: string, tokens: LineTokens) => number | null;

/** The prices of answers, by who gave them. */
export interface Prices {
  /** The same as long as no price changes; null where none is known. */
  priceOf(batch: BatchRecord): Promise<LinePrice | null>;
}

/** What a line cost, by its number less one: nothing where its answer was reused; NaN where that is not known. */
export type LineCosts = (at: number) => number;

/** Where a batch asks one model, that is the model, whatever the answers call it. */
export function createLineCosts({ columns }: LineIndex, models: readonly string[], price: LinePrice): LineCosts {
  const { promptTokens, cachedTokens, completionTokens, times } = columns;
  const { codes, names } = columns.models;
  const single = models.length === 1 ? models[0] : undefined;
  return (at) => {
    const model = single ?? names[codes[at] ?? 0] ?? "";
    if (times[at] === reusedTime) return price(model, noTokens) ?? Number.NaN;
    const [prompt, completion] = [promptTokens[at] ?? unknownTokens, completionTokens[at] ?? unknownTokens];
    if (prompt === unknownTokens || completion === unknownTokens) return Number.NaN;
    const tokens = { promptTokens: prompt, cachedTokens: cachedTokens[at] ?? 0, completionTokens: completion };
    return price(model, tokens) ?? Number.NaN;
  };
}

const noTokens: LineTokens = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 };

/** What lines cost together, and of how many answered ones that is known. */
export interface CostSum {
  readonly usd: number;
  readonly lines: number;
}

/** Adds up what the answers of an index cost, those that failed after their service had counted tokens included. Each line is priced once, however often the sum is asked for as they come. */
export function createCostSum({ columns: { states }, total }: LineIndex, costs: LineCosts): () => CostSum {
  const isCounted = new Uint8Array(total);
  let usd = 0;
  let lines = 0;
  return () => {
    for (let at = 0; at < total; at++) {
      if (states[at] === waitingState || isCounted[at] === 1) continue;
      isCounted[at] = 1;
      const cost = costs(at);
      if (Number.isNaN(cost)) continue;
      usd += cost;
      if (isInOutput(states[at])) lines += 1;
    }
    return { usd, lines };
  };
}
