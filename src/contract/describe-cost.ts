import { formatCost, formatCount, formatNumber } from "./format.ts";
import type { BatchCost } from "./rpc/batches.ts";

type Known = Pick<BatchCost, "usd" | "lines" | "unknown" | "isCeiling">;

/** `$0.27`; `at least $0.27`, where the price of some answers is not known; `at most $0.27`, where a discount is not certain. */
export function formatKnownCost({ usd, unknown, isCeiling }: Known): string {
  const amount = formatCost(usd);
  if (unknown > 0) return isCeiling ? `about ${amount}` : `at least ${amount}`;
  return isCeiling ? `at most ${amount}` : amount;
}

/** `at least $0.27; no price for 60 of 70 answers`. */
export function describeKnownCost(cost: Known): string {
  const { lines, unknown } = cost;
  if (unknown === 0) return formatKnownCost(cost);
  const missing = `no price for ${formatNumber(unknown)} of ${formatCount(lines + unknown, "answer")}`;
  return lines === 0 ? missing : `${formatKnownCost(cost)}; ${missing}`;
}

/** What a batch cost, and how many of its answers were asked, and not reused. */
export interface AskedCost {
  readonly cost: BatchCost | null;
  readonly asked: number;
}

/** Costs together; null where nothing is known of any. What was asked at an unknown price is counted. */
export function sumKnownCosts(costs: readonly AskedCost[]): BatchCost | null {
  const known = costs.flatMap(({ cost }) => cost ?? []);
  if (known.length === 0) return null;
  const sum = (read: (cost: BatchCost) => number) => known.reduce((total, cost) => total + read(cost), 0);
  const unpriced = costs.reduce((total, { cost, asked }) => total + (cost === null ? Math.max(0, asked) : 0), 0);
  return {
    usd: sum(({ usd }) => usd),
    lines: sum(({ lines }) => lines),
    unknown: sum(({ unknown }) => unknown) + unpriced,
    reported: sum(({ reported }) => reported),
    isCeiling: known.some(({ isCeiling }) => isCeiling),
    isToday: known.some(({ isToday }) => isToday),
  };
}
