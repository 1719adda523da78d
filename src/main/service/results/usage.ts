import { unknownTokens } from "./fact-columns.ts";
import type { LineIndex } from "./line-index.ts";

/** What the answers of a model took. */
export interface ModelUsage {
  readonly model: string;
  /** Those whose tokens are known. */
  readonly lines: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * What the answers of an index took; of some lines only where `isCounted` says so. Where a batch asks one model, that is the
 * model, whatever the answers call it.
 */
export function sumUsage(
  { columns }: LineIndex,
  models: readonly string[],
  isCounted: (line: number) => boolean = () => true,
): ModelUsage[] {
  const { promptTokens, completionTokens } = columns;
  const { codes, names } = columns.models;
  const single = models.length === 1 ? models[0] : undefined;
  const sums = names.map((name) => ({ model: name, lines: 0, promptTokens: 0, completionTokens: 0 }));
  for (let at = 0; at < codes.length; at++) {
    const [prompt, completion] = [promptTokens[at] ?? unknownTokens, completionTokens[at] ?? unknownTokens];
    const sum = sums[single === undefined ? (codes[at] ?? 0) : 0];
    if (sum === undefined || prompt === unknownTokens || completion === unknownTokens) continue;
    if (!isCounted(at + 1)) continue;
    sum.lines += 1;
    sum.promptTokens += prompt;
    sum.completionTokens += completion;
  }
  return sums
    .filter(({ lines }) => lines > 0)
    .map((sum) => (sum.model === "" ? { ...sum, model: single ?? "unknown" } : sum));
}
