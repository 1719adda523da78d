import type { BatchRecord } from "../store/index.ts";
import { unknownTokens } from "./fact-columns.ts";
import type { LineIndex } from "./line-index.ts";
import { reusedTime } from "./timings.ts";

/** What tokens of a model cost, in US dollars; null where no price is known. */
export type LinePrice = (model: string, promptTokens: number, completionTokens: number) => number | null;

/** The prices of answers, by who gave them. */
export interface Prices {
  /** The same as long as no price changes; null where none is known. */
  priceOf(batch: BatchRecord): Promise<LinePrice | null>;
}

/** What a line cost, by its number less one: nothing where its answer was reused; NaN where that is not known. */
export type LineCosts = (at: number) => number;

/** Where a batch asks one model, that is the model, whatever the answers call it. */
export function createLineCosts({ columns }: LineIndex, models: readonly string[], price: LinePrice): LineCosts {
  const { promptTokens, completionTokens, times } = columns;
  const { codes, names } = columns.models;
  const single = models.length === 1 ? models[0] : undefined;
  return (at) => {
    if (times[at] === reusedTime) return 0;
    const [prompt, completion] = [promptTokens[at] ?? unknownTokens, completionTokens[at] ?? unknownTokens];
    if (prompt === unknownTokens || completion === unknownTokens) return Number.NaN;
    return price(single ?? names[codes[at] ?? 0] ?? "", prompt, completion) ?? Number.NaN;
  };
}
